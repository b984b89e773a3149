// SPDX-License-Identifier: Apache-2.0
// What the CUDA runtime says of a device.
#pragma once

#include "simulator/simulation.h"

#include <cuda_runtime_api.h>
#include <optional>

namespace gpucert::simulator {

cudaDeviceProp properties_of(const simulation &what, int device);
/// Nothing for an attribute that is not simulated.
std::optional<int> attribute_of(const simulation &what, int device, cudaDeviceAttr attribute);

} // namespace gpucert::simulator
