// SPDX-License-Identifier: Apache-2.0
// Kernels that write and check memory patterns, a word a thread.
#pragma once

#include "kernels/memory_pattern.h"

namespace gpucert {

constexpr int memory_pattern_threads = 256;

__global__ void memory_write(std::uint64_t *words, std::size_t count, std::uint64_t mask) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count; at += threads)
    words[at] = at ^ mask;
}

__global__ void memory_check(const std::uint64_t *words, std::size_t count, std::uint64_t mask,
                             memory_findings *findings) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count; at += threads) {
    const std::uint64_t found = words[at];
    if (found == (at ^ mask))
      continue;
    const unsigned long long place = atomicAdd(&findings->wrong_words, 1ull);
    if (place < memory_findings::most_words) {
      findings->words[place].index = at;
      findings->words[place].found = found;
    }
  }
}

} // namespace gpucert
