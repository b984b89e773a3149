// SPDX-License-Identifier: Apache-2.0
// Functions of half and bfloat16 that the toolkit's headers keep for nvcc. A fused operation rounds once: the product
// of two 11-bit numbers and the sum with a third are formed in double, which is exact but for far apart exponents.
#pragma once

#include "simulator/twin/math.h"
#include "simulator/twin/warp.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

inline __half __hfma(__half a, __half b, __half c) {
  return __double2half(static_cast<double>(__half2float(a)) * __half2float(b) + __half2float(c));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __double2bfloat16(static_cast<double>(__bfloat162float(a)) * __bfloat162float(b) + __bfloat162float(c));
}
inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

inline __half hexp(__half x) { return __float2half(std::exp(__half2float(x))); }
inline __half hlog(__half x) { return __float2half(std::log(__half2float(x))); }
inline __half hsqrt(__half x) { return __float2half(std::sqrt(__half2float(x))); }
inline __half hrsqrt(__half x) { return __float2half(rsqrtf(__half2float(x))); }
inline __half hrcp(__half x) { return __float2half(1 / __half2float(x)); }
inline __nv_bfloat16 hexp(__nv_bfloat16 x) { return __float2bfloat16(std::exp(__bfloat162float(x))); }
inline __nv_bfloat16 hsqrt(__nv_bfloat16 x) { return __float2bfloat16(std::sqrt(__bfloat162float(x))); }
inline __nv_bfloat16 hrsqrt(__nv_bfloat16 x) { return __float2bfloat16(rsqrtf(__bfloat162float(x))); }
