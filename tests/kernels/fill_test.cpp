// SPDX-License-Identifier: Apache-2.0
#include "kernels/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace gpucert {
namespace {

// The first numbers of SplitMix64 from seed 1234567, as in its reference implementation.
TEST(fill, is_splitmix64) {
  random_source source(1234567);
  EXPECT_EQ(source.next(), 6457827717110365317u);
  EXPECT_EQ(source.next(), 3203168211198807973u);
  EXPECT_EQ(source.next(), 9817491932198370423u);
}

TEST(fill, same_seed_same_values) {
  EXPECT_EQ(random_reals<float>(100, -1, 1, 7), random_reals<float>(100, -1, 1, 7));
  EXPECT_NE(random_reals<float>(100, -1, 1, 7), random_reals<float>(100, -1, 1, 8));
}

TEST(fill, reals_are_uniform_in_their_range) {
  const auto values = random_reals<double>(100000, -1, 3, 20240612);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*least, -1);
  EXPECT_LT(*least, -0.99);
  EXPECT_LT(*most, 3);
  EXPECT_GT(*most, 2.99);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  EXPECT_NEAR(mean, 1, 0.02); // 5 standard errors
}

TEST(fill, integers_take_both_ends) {
  const auto values = random_integers<std::int8_t>(1000, -3, 3, 20240612);
  EXPECT_EQ(std::set<int>(values.begin(), values.end()), (std::set<int>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(fill, any_bits_include_what_is_no_number) {
  const auto values = random_bits<__half>(10000, 20240612);
  EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](__half value) { return std::isnan(to_double(value)); }));
}

} // namespace
} // namespace gpucert
