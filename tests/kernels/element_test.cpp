// SPDX-License-Identifier: Apache-2.0
#include "kernels/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpucert {
namespace {

/// The finite, not negative values of T: bits [0, end_of_finite), in ascending order in every format.
template <class T> void check_every_value(std::uint64_t end_of_finite) {
  for (std::uint64_t bits = 0; bits < end_of_finite; ++bits) {
    const double value = to_double(element_of_bits<T>(bits));
    ASSERT_EQ(bits_of(round_to<T>(value)), bits);
    if (bits + 1 == end_of_finite)
      break;
    const double next = to_double(element_of_bits<T>(bits + 1));
    const double middle = value + (next - value) / 2; // exact in double
    const std::uint64_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(bits_of(round_to<T>(middle)), even) << "tie after " << value;
    // Through f32 these two would become the tie.
    ASSERT_EQ(bits_of(round_to<T>(std::nextafter(middle, 0.0))), bits) << "below the tie after " << value;
    ASSERT_EQ(bits_of(round_to<T>(std::nextafter(middle, next))), bits + 1) << "above the tie after " << value;
    ASSERT_LE(middle - value,
              std::max(element_traits<T>::unit_roundoff * middle, element_traits<T>::smallest_subnormal / 2));
  }
}

TEST(element, f16_rounds_every_value_and_tie) { check_every_value<__half>(0x7c00); }
TEST(element, bf16_rounds_every_value_and_tie) { check_every_value<__nv_bfloat16>(0x7f80); }
TEST(element, e4m3_rounds_every_value_and_tie) { check_every_value<__nv_fp8_e4m3>(0x7f); }

TEST(element, minus_zero_keeps_its_sign) {
  EXPECT_EQ(bits_of(round_to<__half>(-0.0)), 0x8000u);
  EXPECT_EQ(bits_of(round_to<__nv_bfloat16>(-0.0)), 0x8000u);
  EXPECT_EQ(bits_of(round_to<float>(-0.0)), 0x80000000u);
}

struct tf32_value {
  double value;
  float rounded;
};

TEST(element, tf32_has_ten_bits_of_fraction) {
  const tf32_value values[] = {
      {1, 1},
      {-1, -1},
      {0, 0},
      {1 + 0x1p-10, 1 + 0x1p-10f},
      {1 + 0x1p-11, 1},                      // a tie, to even
      {1 + 3 * 0x1p-11, 1 + 0x1p-9f},        // a tie, to even
      {1 + 0x1p-11 + 0x1p-50, 1 + 0x1p-10f}, // through f32 it would be the tie
      {-(1 + 0x1p-11 + 0x1p-50), -(1 + 0x1p-10f)},
      {2 - 0x1p-40, 2}, // carries into the exponent
  };
  for (const auto &[value, rounded] : values)
    EXPECT_EQ(round_to_tf32(value), rounded) << value;
}

} // namespace
} // namespace gpucert
