// SPDX-License-Identifier: Apache-2.0
// Patterns that are written to device memory and found again, or not.
#pragma once

#include "harness/work.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <vector>

namespace gpucert {

/// Every word holds its own index, so that crossed address lines are seen, xor `mask`; a pass with ~mask writes each
/// bit the other way.
struct address_pattern {
  std::uint64_t mask = 0;

  std::uint64_t at(std::size_t index) const { return index ^ mask; }
};

struct wrong_word {
  std::uint64_t index = 0;
  std::uint64_t found = 0;
};

/// The check's result, in device memory: how many words are wrong, and which they were, the first ones to be seen.
struct memory_findings {
  static constexpr unsigned most_words = 64;
  unsigned long long wrong_words = 0;
  wrong_word words[most_words] = {};
};

/// Writes the pattern, in a launch of its own so that the words leave the caches before they are checked where there
/// are more than the caches hold. Throws cuda_error.
void launch_memory_write(std::uint64_t *words, std::size_t count, address_pattern pattern, cudaStream_t stream);

/// Adds to `findings`, which the caller has set to zero.
void launch_memory_check(const std::uint64_t *words, std::size_t count, address_pattern pattern,
                         memory_findings *findings, cudaStream_t stream);

/// Of one of the two: each word once.
work work_of_memory_pattern(std::size_t count);

} // namespace gpucert
