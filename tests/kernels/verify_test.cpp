// SPDX-License-Identifier: Apache-2.0
#include "kernels/verify.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpucert {
namespace {

const verified_array rows_of_three{"triad f32", 7, 3};
constexpr float nan_f32 = std::numeric_limits<float>::quiet_NaN();

TEST(verify, equal_bits_are_right) {
  EXPECT_EQ(find_unequal_bits<float>(rows_of_three, {1, nan_f32, -0.0f}, {1, nan_f32, -0.0f}), std::nullopt);
  EXPECT_EQ(find_unequal_bits<float>(rows_of_three, {}, {}), std::nullopt);
}

TEST(verify, unequal_bits_are_said_with_their_place) {
  EXPECT_EQ(find_unequal_bits<float>(rows_of_three, {1, 2, 3, 4, 5, 9}, {1, 2, 3, 4, 6, 6}),
            "triad f32: 2 of 6 elements wrong, the first at 4 (row 1, column 1): found 5 (0x40a00000), expected 6 "
            "(0x40c00000) (seed 7)");
}

TEST(verify, minus_zero_is_not_zero) { EXPECT_TRUE(find_unequal_bits<float>(rows_of_three, {-0.0f}, {0.0f})); }

TEST(verify, missing_elements_are_wrong) {
  EXPECT_EQ(find_unequal_bits<float>(rows_of_three, {1}, {1, 2}), "triad f32: 1 elements, expected 2 (seed 7)");
}

TEST(verify, bound_itself_is_within) {
  EXPECT_EQ(find_out_of_bound<float>(rows_of_three, {1.5f, 0.5f}, {1, 1}, {0.5, 0.5}), std::nullopt);
}

TEST(verify, out_of_bound_is_said_with_the_bound) {
  EXPECT_EQ(
      find_out_of_bound<float>(rows_of_three, {1, 1.5f}, {1, 1}, {0.25, 0.25}),
      "triad f32: 1 of 2 elements wrong, the first at 1 (row 0, column 1): found 1.5, expected 1 within 0.25 (seed "
      "7)");
}

TEST(verify, nan_is_out_of_every_bound) {
  EXPECT_TRUE(find_out_of_bound<float>(rows_of_three, {nan_f32}, {1}, {std::numeric_limits<double>::infinity()}));
}

TEST(verify, damage_is_said_with_its_distance) {
  EXPECT_EQ(say_damage(rows_of_three, "c", 16, 16),
            "triad f32: a write out of bounds of c, 1 bytes after the last byte of its 16 bytes (seed 7)");
  EXPECT_EQ(say_damage(rows_of_three, "c", -4, 16),
            "triad f32: a write out of bounds of c, 4 bytes before the start of its 16 bytes (seed 7)");
}

} // namespace
} // namespace gpucert
