// SPDX-License-Identifier: Apache-2.0
// The number formats of a GEMM: of its inputs, its sums and its result.
#pragma once

#include "harness/work.h"

#include <cstddef>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <string_view>

namespace gpucert {

enum class gemm_format {
  f32,  // f32 -> f32, on the ordinary multipliers
  tf32, // f32 in memory, taken by the tensor cores as TF32 -> f32
  f16,  // f16 -> f16, sums in f32
  bf16, // bf16 -> bf16, sums in f32
  s8,   // s8 -> s32
  f8,   // e4m3 -> bf16, sums in f32; FAST_ACCUM off
};

/// The C++ types of the elements.
template <gemm_format Format> struct gemm_elements;
template <> struct gemm_elements<gemm_format::f32> {
  using input = float;
  using output = float;
};
template <> struct gemm_elements<gemm_format::tf32> {
  using input = float; // give values that TF32 holds: see round_to_tf32
  using output = float;
};
template <> struct gemm_elements<gemm_format::f16> {
  using input = __half;
  using output = __half;
};
template <> struct gemm_elements<gemm_format::bf16> {
  using input = __nv_bfloat16;
  using output = __nv_bfloat16;
};
template <> struct gemm_elements<gemm_format::s8> {
  using input = std::int8_t;
  using output = std::int32_t;
};
template <> struct gemm_elements<gemm_format::f8> {
  using input = __nv_fp8_e4m3;
  using output = __nv_bfloat16;
};

std::string_view name_of(gemm_format format);
std::size_t input_bytes_of(gemm_format format);
std::size_t output_bytes_of(gemm_format format);
math_unit unit_of(gemm_format format);

} // namespace gpucert
