// SPDX-License-Identifier: Apache-2.0
// The keywords of CUDA C++ for a host compiler. host_defines.h of the toolkit keeps what is defined before it.
#pragma once

// Kernels are found by their dynamic symbol.
#define __global__ __attribute__((visibility("default"), noinline))
#define __device__
#define __host__
#define __managed__
#define __constant__
#define __grid_constant__
// One block runs at a time, so that shared memory may be one object of the process. It keeps the values of the block
// before: only dynamic shared memory is refilled.
#define __shared__ static
#define __forceinline__ inline
#define __DEVICE_LAUNCH_PARAMETERS_H__ // threadIdx and its like are ours

#include <cuda_runtime.h>

#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __noinline__ // libstdc++ writes it as the name of an attribute
