// SPDX-License-Identifier: Apache-2.0
// One launch of RMSNorm, verified: result, inputs, guard zones.
#pragma once

#include "kernels/fill.h"
#include "kernels/rmsnorm.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gpucert {

struct rmsnorm_case {
  std::size_t rows = 0;
  std::size_t width = 0;
  std::size_t start = 0; // of x, weight and y, in elements after an aligned address
  double largest = 4;    // of |x|
  std::uint64_t seed = 0;
};

constexpr float rmsnorm_epsilon = 1e-5f; // of Llama 3

/// launch_rmsnorm, or one that is wrong on purpose.
template <class T> using rmsnorm_launch = std::function<void(const rmsnorm_arrays<T> &, float epsilon, cudaStream_t)>;

template <class T> verified_array describe(const rmsnorm_case &what) {
  verified_array array{fmt::format("rmsnorm {}, {} rows of {}, start {}, |x| to {}", element_traits<T>::name, what.rows,
                                   what.width, what.start, what.largest),
                       what.seed};
  if (what.width != 0)
    array.row_length = what.width;
  return array;
}

/// Runs the case and says what is wrong.
template <class T> std::optional<std::string> check_rmsnorm(const rmsnorm_case &what, const rmsnorm_launch<T> &launch) {
  const auto x = random_reals<T>(what.rows * what.width, -what.largest, what.largest, what.seed);
  const auto weight = random_reals<T>(what.width, -2, 2, what.seed + 1);
  const device_buffer<T> device_x(x, what.start);
  const device_buffer<T> device_weight(weight, what.start);
  const device_buffer<T> device_y(x.size(), what.start); // poisoned
  launch({device_x.data(), device_weight.data(), device_y.data(), what.rows, what.width}, rmsnorm_epsilon, nullptr);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());

  const std::vector<double> expected = reference_rmsnorm(x, weight, rmsnorm_epsilon);
  std::vector<double> bounds(expected.size());
  for (std::size_t at = 0; at < bounds.size(); ++at)
    bounds[at] = rmsnorm_bound<T>(what.width, expected[at], to_double(weight[at % what.width]));
  const verified_array array = describe<T>(what);
  return first_of(find_out_of_bound(array, device_y.download(), expected, bounds),
                  find_unequal_bits(array, device_x.download(), x),
                  find_unequal_bits(array, device_weight.download(), weight), find_damaged_guard(array, "x", device_x),
                  find_damaged_guard(array, "weight", device_weight), find_damaged_guard(array, "y", device_y));
}

} // namespace gpucert
