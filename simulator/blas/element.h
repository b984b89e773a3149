// SPDX-License-Identifier: Apache-2.0
// Elements of matrices in the types of cuBLAS. The toolkit's own conversions round correctly.
#pragma once

#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <library_types.h>
#include <type_traits>

namespace gpucert::simulator {

template <class T> T load_as(const void *start, std::int64_t at) {
  T value;
  std::memcpy(static_cast<void *>(&value), static_cast<const unsigned char *>(start) + at * std::int64_t{sizeof(T)},
              sizeof(T));
  return value;
}

template <class T> void store_as(void *start, std::int64_t at, T value) {
  std::memcpy(static_cast<unsigned char *>(start) + at * std::int64_t{sizeof(T)}, static_cast<const void *>(&value),
              sizeof(T));
}

/// Sum is float or std::int32_t.
template <class Sum> Sum load_element(const void *start, cudaDataType_t type, std::int64_t at) {
  switch (type) {
  case CUDA_R_16F:
    return static_cast<Sum>(__half2float(load_as<__half>(start, at)));
  case CUDA_R_16BF:
    return static_cast<Sum>(__bfloat162float(load_as<__nv_bfloat16>(start, at)));
  case CUDA_R_8F_E4M3:
    return static_cast<Sum>(static_cast<float>(load_as<__nv_fp8_e4m3>(start, at)));
  case CUDA_R_8I:
    return static_cast<Sum>(load_as<std::int8_t>(start, at));
  case CUDA_R_32I:
    return static_cast<Sum>(load_as<std::int32_t>(start, at));
  default:
    return static_cast<Sum>(load_as<float>(start, at));
  }
}

template <class Sum> void store_element(void *start, cudaDataType_t type, std::int64_t at, Sum value) {
  switch (type) {
  case CUDA_R_16F:
    return store_as(start, at, __float2half_rn(static_cast<float>(value)));
  case CUDA_R_16BF:
    return store_as(start, at, __float2bfloat16_rn(static_cast<float>(value)));
  case CUDA_R_8F_E4M3:
    return store_as(start, at, __nv_fp8_e4m3(static_cast<float>(value)));
  case CUDA_R_8I:
    return store_as(start, at, static_cast<std::int8_t>(value));
  case CUDA_R_32I:
    return store_as(start, at, static_cast<std::int32_t>(value));
  default:
    return store_as(start, at, static_cast<float>(value));
  }
}

/// To the nearest number of 10 bits behind the point, ties to even; infinities and NaN stay.
inline float round_to_tf32(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  constexpr std::uint32_t exponent = 0x7f800000U;
  if ((bits & exponent) == exponent)
    return value;
  bits = (bits + 0xfffU + (bits >> 13U & 1U)) & ~0x1fffU;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace gpucert::simulator
