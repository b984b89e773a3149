// SPDX-License-Identifier: Apache-2.0
// The probe kernel: one element a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace gpucert {

__global__ void probe_kernel(std::uint32_t *values, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = values[i] * 5u + static_cast<std::uint32_t>(i);
}

} // namespace gpucert
