// SPDX-License-Identifier: Apache-2.0
// A kernel that does nothing: what a launch itself costs.
#pragma once

#include <cuda_runtime_api.h>

namespace gpucert {

/// Starts one thread that does nothing. Throws cuda_error.
void launch_empty(cudaStream_t stream);

} // namespace gpucert
