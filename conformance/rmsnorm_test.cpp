// SPDX-License-Identifier: Apache-2.0
// RMSNorm: every element inside its error bound, at widths around vectors and blocks, from unaligned starts too.
#include "conformance/expect.h"
#include "conformance/rmsnorm_case.h"
#include "harness/run_settings.h"
#include "kernels/rmsnorm.h"

#include <gtest/gtest.h>

#include <vector>

namespace gpucert {
namespace {

/// Around packs, warps and blocks, and at full scale the hidden sizes of models.
std::vector<std::size_t> widths() {
  std::vector<std::size_t> chosen = {0, 1, 2, 3, 7, 8, 9, 31, 33, 127, 128, 255, 256, 257, 1023, 1024, 1031, 2056};
  if (current_settings().scale == run_scale::full)
    chosen.insert(chosen.end(), {2047, 3584, 4096, 4099, 7168, 8192, 65537});
  return chosen;
}

template <class T> void check_all() {
  const std::uint64_t seed = current_settings().seed;
  const auto check = [&](std::size_t rows, std::size_t width, std::size_t start, double largest) {
    return is_right(check_rmsnorm<T>({rows, width, start, largest, seed}, launch_rmsnorm<T>));
  };
  for (const std::size_t width : widths()) {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, current_settings().choose(64, 3)})
      ASSERT_TRUE(check(rows, width, 0, 4));
    ASSERT_TRUE(check(2, width, 1, 4));
  }
  for (const double largest : {0.001, 200.0}) // where epsilon decides, and where the squares are large
    ASSERT_TRUE(check(3, 512, 0, largest));
  ASSERT_TRUE(check(current_settings().choose(4096, 16), 1024, 0, 4));
}

TEST(rmsnorm, bound_f32) { check_all<float>(); }
TEST(rmsnorm, bound_f16) { check_all<__half>(); }
TEST(rmsnorm, bound_bf16) { check_all<__nv_bfloat16>(); }

template <class T> std::vector<T> run_rows(const std::vector<T> &x, const std::vector<T> &weight) {
  const device_buffer<T> device_x(x);
  const device_buffer<T> device_weight(weight);
  const device_buffer<T> device_y(x.size());
  launch_rmsnorm<T>({device_x.data(), device_weight.data(), device_y.data(), x.size() / weight.size(), weight.size()},
                    rmsnorm_epsilon, nullptr);
  return device_y.download();
}

/// Needs no tolerance: a row alone gives the bits that it gives among others.
template <class T> void check_rows_alone(std::size_t width) {
  const std::uint64_t seed = current_settings().seed;
  const std::size_t rows = current_settings().choose(37, 5);
  const auto x = random_reals<T>(rows * width, -4, 4, seed);
  const auto weight = random_reals<T>(width, -2, 2, seed + 1);
  const std::vector<T> together = run_rows(x, weight);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto from = static_cast<std::ptrdiff_t>(row * width);
    const auto to = from + static_cast<std::ptrdiff_t>(width);
    const std::vector<T> alone = run_rows(std::vector<T>(x.begin() + from, x.begin() + to), weight);
    const std::vector<T> expected(together.begin() + from, together.begin() + to);
    const std::string name = fmt::format("rmsnorm {}, row {} of width {} alone", element_traits<T>::name, row, width);
    ASSERT_TRUE(is_right(find_unequal_bits({name, seed}, alone, expected)));
  }
}

TEST(rmsnorm, row_does_not_depend_on_others) {
  for (const std::size_t width : {std::size_t{1000}, std::size_t{1024}, std::size_t{1031}}) {
    check_rows_alone<float>(width);
    check_rows_alone<__half>(width);
    check_rows_alone<__nv_bfloat16>(width);
  }
}

} // namespace
} // namespace gpucert
