// SPDX-License-Identifier: Apache-2.0
// Elements as f32, in which kernels calculate.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace gpucert {

__device__ inline float to_f32(float value) { return value; }
__device__ inline float to_f32(__half value) { return __half2float(value); }
__device__ inline float to_f32(__nv_bfloat16 value) { return __bfloat162float(value); }

/// Rounded to nearest, ties to even.
template <class T> __device__ inline T from_f32(float value) { return value; }
template <> __device__ inline __half from_f32<__half>(float value) { return __float2half_rn(value); }
template <> __device__ inline __nv_bfloat16 from_f32<__nv_bfloat16>(float value) { return __float2bfloat16_rn(value); }

} // namespace gpucert
