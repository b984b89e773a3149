// SPDX-License-Identifier: Apache-2.0
// Launch of the probe kernel, and its reference.
#include "kernels/launch.cuh"
#include "kernels/probe.cuh"
#include "kernels/probe.h"

namespace gpucert {

void launch_probe(std::uint32_t *values, std::size_t count, cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
  launch<probe_kernel>({blocks, threads}, stream, values, count);
}

std::vector<std::uint32_t> reference_probe(std::vector<std::uint32_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = values[i] * 5u + static_cast<std::uint32_t>(i);
  return values;
}

} // namespace gpucert
