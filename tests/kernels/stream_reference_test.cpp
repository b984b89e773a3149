// SPDX-License-Identifier: Apache-2.0
#include "kernels/fill.h"
#include "kernels/stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gpucert {
namespace {

TEST(stream_reference, formulas_are_those_of_babelstream) {
  const std::vector<double> a = {1, 2};
  const std::vector<double> b = {10, 20};
  const std::vector<double> c = {100, 200};
  EXPECT_EQ(reference_stream(stream_kernel::copy, a, b, c, 0.5).values, a);
  EXPECT_EQ(reference_stream(stream_kernel::mul, a, b, c, 0.5).values, (std::vector<double>{50, 100}));
  EXPECT_EQ(reference_stream(stream_kernel::add, a, b, c, 0.5).values, (std::vector<double>{11, 22}));
  EXPECT_EQ(reference_stream(stream_kernel::triad, a, b, c, 0.5).values, (std::vector<double>{60, 120}));
  EXPECT_EQ(reference_stream(stream_kernel::dot, a, b, c, 0.5).sum, 50);
}

TEST(stream_reference, triad_rounds_once) {
  const float c = 1 + 0x1p-12f;
  const auto reference = reference_stream<float>(stream_kernel::triad, {0}, {-1}, {c}, c);
  EXPECT_EQ(reference.values[0], 0x1p-11f + 0x1p-24f); // c * c - 1; rounded twice it is 2^-11
}

TEST(stream_reference, dot_adds_magnitudes_too) {
  const auto reference = reference_stream<float>(stream_kernel::dot, {1, -2}, {3, 4}, {0, 0}, 0);
  EXPECT_EQ(reference.sum, -5);
  EXPECT_EQ(reference.sum_of_magnitudes, 11);
}

TEST(stream_reference, dot_bound_is_passed_by_rounding_and_not_by_a_lost_element) {
  const std::size_t count = 4096;
  const auto a = random_reals<float>(count, 0.5, 1, 1);
  const auto b = random_reals<float>(count, 0.5, 1, 2);
  const auto reference = reference_stream<float>(stream_kernel::dot, a, b, a, 0);
  const double bound = stream_dot_bound<float>(count, reference.sum_of_magnitudes);
  EXPECT_LT(bound, a[0] * b[0]);
  EXPECT_GT(bound, static_cast<double>(reference.sum) * 0x1p-24);
}

TEST(stream_reference, bytes_are_those_of_babelstream) {
  EXPECT_EQ(work_of_stream(stream_kernel::copy, 1000, 4).memory_bytes, 8000);
  EXPECT_EQ(work_of_stream(stream_kernel::mul, 1000, 4).memory_bytes, 8000);
  EXPECT_EQ(work_of_stream(stream_kernel::add, 1000, 8).memory_bytes, 24000);
  EXPECT_EQ(work_of_stream(stream_kernel::triad, 1000, 8).memory_bytes, 24000);
  EXPECT_EQ(work_of_stream(stream_kernel::dot, 1000, 8).memory_bytes, 16000);
  EXPECT_EQ(work_of_stream(stream_kernel::triad, 1000, 8).operations, 2000);
}

} // namespace
} // namespace gpucert
