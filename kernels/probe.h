// SPDX-License-Identifier: Apache-2.0
// A small kernel whose result is known exactly: does this GPU run anything at all?
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <vector>

namespace gpucert {

/// values[i] = values[i] * 5 + i, modulo 2^32. Throws cuda_error.
void launch_probe(std::uint32_t *values, std::size_t count, cudaStream_t stream);

/// The same on the host; the device must agree in every bit.
std::vector<std::uint32_t> reference_probe(std::vector<std::uint32_t> values);

} // namespace gpucert
