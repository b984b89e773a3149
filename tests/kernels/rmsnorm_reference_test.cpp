// SPDX-License-Identifier: Apache-2.0
#include "kernels/element.h"
#include "kernels/fill.h"
#include "kernels/rmsnorm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace gpucert {
namespace {

/// The kernel's arithmetic in an order of its own: one sum after the other.
template <class T> std::vector<T> rmsnorm_in_f32(const std::vector<T> &x, const std::vector<T> &weight, float epsilon) {
  float sum = 0;
  for (const T value : x)
    sum = std::fma(static_cast<float>(to_double(value)), static_cast<float>(to_double(value)), sum);
  const float scale = 1.0f / std::sqrt(sum / static_cast<float>(x.size()) + epsilon);
  std::vector<T> y;
  for (std::size_t at = 0; at < x.size(); ++at)
    y.push_back(round_to<T>(static_cast<float>(to_double(x[at])) * scale * static_cast<float>(to_double(weight[at]))));
  return y;
}

/// How much of its bound the worst element uses.
template <class T> double worst_share(std::size_t width, double largest) {
  const auto x = random_reals<T>(width, -largest, largest, 1);
  const auto weight = random_reals<T>(width, -2, 2, 2);
  const std::vector<T> y = rmsnorm_in_f32(x, weight, 1e-5f);
  const std::vector<double> reference = reference_rmsnorm(x, weight, 1e-5f);
  double worst = 0;
  for (std::size_t at = 0; at < width; ++at)
    worst = std::max(worst, std::abs(to_double(y[at]) - reference[at]) /
                                rmsnorm_bound<T>(width, reference[at], to_double(weight[at])));
  return worst;
}

TEST(rmsnorm_reference, is_the_formula) {
  const std::vector<float> x = {3, 4, 0, 0};
  const std::vector<float> weight = {1, 2, 1, 1};
  const std::vector<double> y = reference_rmsnorm(x, weight, 0);
  EXPECT_DOUBLE_EQ(y[0], 3 / 2.5);
  EXPECT_DOUBLE_EQ(y[1], 4 / 2.5 * 2);
  EXPECT_EQ(y[2], 0);
}

TEST(rmsnorm_reference, rows_are_apart) {
  const std::vector<float> weight = {1, 1};
  EXPECT_EQ(reference_rmsnorm<float>({1, 1, 1000, 1000}, weight, 0), (std::vector<double>{1, 1, 1, 1}));
}

TEST(rmsnorm_reference, correct_arithmetic_is_within_the_bound_and_uses_it) {
  for (const std::size_t width : std::initializer_list<std::size_t>{1, 2, 100, 1031, 4096}) {
    for (const double largest : {0.001, 4.0, 200.0}) {
      EXPECT_LE(worst_share<float>(width, largest), 1) << width;
      EXPECT_LE(worst_share<__half>(width, largest), 1) << width;
      EXPECT_LE(worst_share<__nv_bfloat16>(width, largest), 1) << width;
    }
  }
  EXPECT_GT(worst_share<float>(4096, 4), 0.05); // a bound far too wide would find nothing
  EXPECT_GT(worst_share<__half>(4096, 4), 0.5);
  EXPECT_GT(worst_share<__nv_bfloat16>(4096, 4), 0.5);
}

TEST(rmsnorm_reference, bytes_count_the_weight_once) {
  EXPECT_EQ(work_of_rmsnorm(64, 4096, 2).memory_bytes, (2 * 64 + 1) * 4096 * 2.0);
}

} // namespace
} // namespace gpucert
