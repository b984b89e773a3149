// SPDX-License-Identifier: Apache-2.0
#include "kernels/fill.h"
#include "kernels/gemm_reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gpucert {
namespace {

TEST(gemm_reference, is_rows_by_rows) {
  const auto elements = reference_gemm({{1, 2, 3, 4}, {5, 6, 7, -8, 9, 10}}, 2, 3, 2);
  const double values[] = {17, -9, 29, 39, -11, 67};
  const double magnitudes[] = {17, 23, 29, 39, 53, 67};
  ASSERT_EQ(elements.size(), 6u);
  for (std::size_t at = 0; at < 6; ++at) {
    EXPECT_EQ(elements[at].value, values[at]) << at;
    EXPECT_EQ(elements[at].magnitude, magnitudes[at]) << at;
  }
}

TEST(gemm_reference, single_element_takes_strides) {
  const gemm_shape shape{2, 2, 2, 3, 4, 2};
  const std::vector<float> x = {1, 2, 99, 3, 4, 99};
  const std::vector<float> w = {5, 6, 99, 99, 7, -8, 99, 99};
  const gemm_element element = reference_gemm_at(x, w, shape, 1, 1);
  EXPECT_EQ(element.value, 21 - 32);
  EXPECT_EQ(element.magnitude, 21 + 32);
}

/// A tensor core as numerics describe it: products in steps of `step`, aligned to the largest term and cut to
/// `fraction_bits`, the sum cut to f32.
float add_in_steps(const std::vector<double> &products, std::size_t step, int fraction_bits) {
  double sum = 0;
  for (std::size_t first = 0; first < products.size(); first += step) {
    const std::size_t end = std::min(first + step, products.size());
    double largest = std::abs(sum);
    for (std::size_t at = first; at < end; ++at)
      largest = std::max(largest, std::abs(products[at]));
    if (largest == 0)
      continue;
    const double unit = std::ldexp(1.0, std::ilogb(largest) - fraction_bits);
    double total = std::trunc(sum / unit) * unit;
    for (std::size_t at = first; at < end; ++at)
      total += std::trunc(products[at] / unit) * unit;
    const double f32_unit = total == 0 ? 1 : std::ldexp(1.0, std::ilogb(total) - 23);
    sum = std::trunc(total / f32_unit) * f32_unit;
  }
  return static_cast<float>(sum);
}

struct tensor_core {
  const char *name;
  std::size_t step;
  int fraction_bits;
};

TEST(gemm_reference, bound_holds_for_the_models_of_tensor_cores) {
  const tensor_core cores[] = {{"volta", 4, 23}, {"ampere", 8, 24}, {"hopper", 16, 25}};
  const std::size_t k = 4096;
  for (const double low : {-1.0, 0.0}) {
    const auto x = random_reals<__half>(k, low, 1, 1);
    const auto w = random_reals<__half>(k, low, 1, 2);
    const gemm_element reference = reference_gemm_at(x, w, gemm_shape::packed(1, 1, k), 0, 0);
    std::vector<double> products;
    for (std::size_t at = 0; at < k; ++at)
      products.push_back(to_double(x[at]) * to_double(w[at]));
    for (const auto &[name, step, fraction_bits] : cores) {
      const double error = std::abs(add_in_steps(products, step, fraction_bits) - reference.value);
      EXPECT_LE(error, gemm_bound(gemm_format::tf32, k, reference, 90)) << name << " from " << low;
      EXPECT_GT(error, 0) << name; // the model does cut
    }
  }
}

TEST(gemm_reference, bound_grows_with_k_and_output) {
  const gemm_element one{1, 1};
  EXPECT_EQ(gemm_bound(gemm_format::s8, 4096, one, 90), 0);
  EXPECT_LT(gemm_bound(gemm_format::f32, 128, one, 90), gemm_bound(gemm_format::f32, 4096, one, 90));
  EXPECT_LT(gemm_bound(gemm_format::f32, 128, one, 90), gemm_bound(gemm_format::tf32, 128, one, 90));
  EXPECT_GT(gemm_bound(gemm_format::bf16, 1, one, 90), 0x1p-8); // the rounding of the result alone
  EXPECT_LT(gemm_bound(gemm_format::bf16, 1, one, 90), 0x1.1p-8);
  EXPECT_LT(gemm_bound(gemm_format::f8, 4096, one, 100), gemm_bound(gemm_format::f8, 4096, one, 90));
}

TEST(gemm_reference, exact_k_is_what_the_accumulator_holds) {
  EXPECT_EQ(most_exact_k(gemm_format::f16, 1, 1), 8388608u);
  EXPECT_EQ(most_exact_k(gemm_format::f8, 1, 1), 8192u);
  EXPECT_EQ(most_exact_k(gemm_format::s8, 127, 127), 133144u);
}

TEST(gemm_reference, checksum_finds_any_single_wrong_element) {
  const gemm_shape shape{3, 5, 7, 8, 9, 6};
  const auto x = random_integers<std::int8_t>(shape.m * shape.x_stride, -9, 9, 1);
  const auto w = random_integers<std::int8_t>(shape.n * shape.w_stride, -9, 9, 2);
  std::vector<std::int32_t> y(shape.m * shape.y_stride);
  for (std::size_t row = 0; row < shape.m; ++row)
    for (std::size_t column = 0; column < shape.n; ++column)
      y[row * shape.y_stride + column] = static_cast<std::int32_t>(reference_gemm_at(x, w, shape, row, column).value);
  EXPECT_EQ(find_wrong_checksum(x, w, y, shape, 3), std::nullopt);
  for (std::size_t row = 0; row < shape.m; ++row) {
    for (std::size_t column = 0; column < shape.n; ++column) {
      std::vector<std::int32_t> wrong = y;
      wrong[row * shape.y_stride + column] += 1;
      const auto found = find_wrong_checksum(x, w, wrong, shape, 3);
      ASSERT_TRUE(found) << row << ' ' << column;
      EXPECT_TRUE(found->starts_with("row " + std::to_string(row) + " of 3")) << *found;
    }
  }
}

} // namespace
} // namespace gpucert
