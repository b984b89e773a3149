// SPDX-License-Identifier: Apache-2.0
// The empty kernel.
#pragma once

#include <cuda_runtime.h>

namespace gpucert {

__global__ void empty_kernel() {}

} // namespace gpucert
