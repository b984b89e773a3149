// SPDX-License-Identifier: Apache-2.0
// The element types of arrays in device memory, on the host: exact values, correct rounding, and the model of rounding.
#pragma once

#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <string_view>

namespace gpucert {

/// round_to<T>(v) differs from v by at most max(unit_roundoff * |v|, smallest_subnormal / 2), where it does not
/// overflow.
template <class T> struct element_traits;

template <> struct element_traits<double> {
  static constexpr std::string_view name = "f64";
  static constexpr double unit_roundoff = 0x1p-53;
  static constexpr double smallest_subnormal = 0x1p-1074;
};
template <> struct element_traits<float> {
  static constexpr std::string_view name = "f32";
  static constexpr double unit_roundoff = 0x1p-24;
  static constexpr double smallest_subnormal = 0x1p-149;
};
template <> struct element_traits<__half> {
  static constexpr std::string_view name = "f16";
  static constexpr double unit_roundoff = 0x1p-11;
  static constexpr double smallest_subnormal = 0x1p-24;
};
template <> struct element_traits<__nv_bfloat16> {
  static constexpr std::string_view name = "bf16";
  static constexpr double unit_roundoff = 0x1p-8;
  static constexpr double smallest_subnormal = 0x1p-133;
};
template <> struct element_traits<__nv_fp8_e4m3> {
  static constexpr std::string_view name = "e4m3";
  static constexpr double unit_roundoff = 0x1p-4;
  static constexpr double smallest_subnormal = 0x1p-9;
};
template <> struct element_traits<std::int8_t> { static constexpr std::string_view name = "s8"; };
template <> struct element_traits<std::int32_t> { static constexpr std::string_view name = "s32"; };

inline double to_double(double value) { return value; }
inline double to_double(float value) { return value; }
inline double to_double(__half value) { return __half2float(value); }
inline double to_double(__nv_bfloat16 value) { return __bfloat162float(value); }
inline double to_double(__nv_fp8_e4m3 value) { return static_cast<float>(value); }
inline double to_double(std::uint8_t value) { return value; } // a byte of a copy
inline double to_double(std::int8_t value) { return value; }
inline double to_double(std::int32_t value) { return value; }

/// Nearest, ties to even; e4m3, which has no infinity, saturates; integers must be in range and are truncated.
template <class T> T round_to(double value) { return static_cast<T>(value); }
template <> inline __half round_to<__half>(double value) { return __double2half(value); }
template <> inline __nv_bfloat16 round_to<__nv_bfloat16>(double value) { return __double2bfloat16(value); }

/// The float nearest to `value` that TF32 holds: 10 bits of fraction. A tensor core takes such a value as it is.
float round_to_tf32(double value);

/// The bits of an element, in the low ones of the result: equality of bits tells -0 from 0, and one NaN from another.
template <class T> std::uint64_t bits_of(const T &value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T)); // x86-64 and AArch64 as CUDA supports it: little-endian
  return bits;
}

/// The element of these bits; those beyond its size are dropped.
template <class T> T element_of_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void *>(&value), &bits, sizeof(T));
  return value;
}

} // namespace gpucert
