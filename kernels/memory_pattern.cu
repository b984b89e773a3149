// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch.cuh"
#include "kernels/memory_pattern.cuh"
#include "kernels/memory_pattern.h"

#include <algorithm>

namespace gpucert {
namespace {

launch_shape shape_for(std::size_t count) {
  constexpr std::size_t most_blocks = 2147483647; // of a grid in x; the kernels go on in strides
  const std::size_t blocks = (count + memory_pattern_threads - 1) / memory_pattern_threads;
  return {static_cast<unsigned>(std::min(blocks, most_blocks)), memory_pattern_threads};
}

} // namespace

void launch_memory_write(std::uint64_t *words, std::size_t count, address_pattern pattern, cudaStream_t stream) {
  if (count != 0)
    launch<memory_write>(shape_for(count), stream, words, count, pattern.mask);
}

void launch_memory_check(const std::uint64_t *words, std::size_t count, address_pattern pattern,
                         memory_findings *findings, cudaStream_t stream) {
  if (count != 0)
    launch<memory_check>(shape_for(count), stream, words, count, pattern.mask, findings);
}

work work_of_memory_pattern(std::size_t count) {
  work done;
  done.memory_bytes = static_cast<double>(count) * sizeof(std::uint64_t);
  return done;
}

} // namespace gpucert
