// SPDX-License-Identifier: Apache-2.0
// One GEMM, verified: every element, the gaps between rows, inputs, guard zones.
#pragma once

#include "kernels/fill.h"
#include "kernels/gemm.h"
#include "kernels/gemm_reference.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpucert {

struct gemm_case {
  gemm_library library = gemm_library::cublas;
  gemm_shape shape;
  std::size_t start = 0; // of x, w and y, in elements after an aligned address
  std::uint64_t seed = 0;

  /// What all addresses are multiples of.
  template <gemm_format Format> std::size_t alignment_bytes() const {
    using elements = gemm_elements<Format>;
    constexpr std::size_t element = std::min(sizeof(typename elements::input), sizeof(typename elements::output));
    return start == 0 ? 256 : start * element & ~(start * element - 1); // the largest power of two in it
  }
};

/// Rows with `gap` unused elements after each.
inline gemm_shape with_gaps(const gemm_shape &packed, std::size_t gap) {
  return {packed.m, packed.n, packed.k, packed.k + gap, packed.k + gap, packed.n + gap};
}

template <gemm_format Format> verified_array describe(const gemm_case &what, const gemm_plan &plan) {
  const gemm_shape &shape = what.shape;
  std::string name = fmt::format("gemm {} by {}, M {} N {} K {}, rows of X, W, Y {} {} {} apart, start {}",
                                 name_of(Format), name_of(what.library), shape.m, shape.n, shape.k, shape.x_stride,
                                 shape.w_stride, shape.y_stride, what.start);
  if (plan.algorithm())
    name += ", " + to_text(*plan.algorithm());
  verified_array array{std::move(name), what.seed};
  if (shape.n != 0)
    array.row_length = shape.y_stride;
  return array;
}

/// What device memory holds before a launch: guarded_memory fills it with bits of one.
template <class T> T poison_element() {
  static_assert(guarded_memory::poison_byte == 0xff);
  return element_of_bits<T>(~std::uint64_t{0});
}

/// Moves rows of `row_length` apart; what is between them is poison: NaN in every float format.
template <class T>
std::vector<T> spread_rows(const std::vector<T> &packed, std::size_t row_length, std::size_t stride) {
  const std::size_t rows = row_length == 0 ? 0 : packed.size() / row_length;
  std::vector<T> spread(rows * stride, poison_element<T>());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t at = 0; at < row_length; ++at)
      spread[row * stride + at] = packed[row * row_length + at];
  return spread;
}

/// X and W without gaps.
template <gemm_format Format> struct gemm_data {
  using input = typename gemm_elements<Format>::input;
  std::vector<input> x;
  std::vector<input> w;
};

template <class T> std::vector<double> to_doubles(const std::vector<T> &values) {
  std::vector<double> doubles(values.size());
  std::transform(values.begin(), values.end(), doubles.begin(), [](T value) { return to_double(value); });
  return doubles;
}

template <gemm_format Format>
std::vector<gemm_element> reference_of(const gemm_data<Format> &data, const gemm_shape &shape) {
  return reference_gemm({to_doubles(data.x), to_doubles(data.w)}, shape.m, shape.n, shape.k);
}

template <gemm_format Format> struct gemm_outcome {
  verified_array array;
  std::vector<typename gemm_elements<Format>::output> y; // with its gaps
  std::optional<std::string> damage;                     // of inputs or guard zones
};

/// Runs the GEMM on a poisoned Y, which beta = 0 must overwrite.
template <gemm_format Format>
gemm_outcome<Format> run_gemm(const gemm_libraries &libraries, const gemm_case &what, const gemm_data<Format> &data) {
  using elements = gemm_elements<Format>;
  const gemm_shape &shape = what.shape;
  const auto x = spread_rows(data.x, shape.k, shape.x_stride);
  const auto w = spread_rows(data.w, shape.k, shape.w_stride);
  const device_buffer<typename elements::input> device_x(x, what.start);
  const device_buffer<typename elements::input> device_w(w, what.start);
  const device_buffer<typename elements::output> device_y(shape.m * shape.y_stride, what.start);
  const gemm_plan plan(libraries, what.library, Format, shape, what.alignment_bytes<Format>());
  plan.launch(device_x.data(), device_w.data(), device_y.data(), nullptr);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  const verified_array array = describe<Format>(what, plan);
  return {array, device_y.download(),
          first_of(find_unequal_bits(array, device_x.download(), x), find_unequal_bits(array, device_w.download(), w),
                   find_damaged_guard(array, "x", device_x), find_damaged_guard(array, "w", device_w),
                   find_damaged_guard(array, "y", device_y))};
}

/// Zero tolerance, for data whose sums and results are exact.
template <gemm_format Format>
std::optional<std::string> check_gemm_exact(const gemm_libraries &libraries, const gemm_case &what,
                                            const gemm_data<Format> &data) {
  using output = typename gemm_elements<Format>::output;
  const gemm_outcome<Format> outcome = run_gemm(libraries, what, data);
  std::vector<output> expected;
  for (const gemm_element &element : reference_of(data, what.shape))
    expected.push_back(round_to<output>(element.value));
  auto spread = spread_rows(expected, what.shape.n, what.shape.y_stride);
  spread.resize(outcome.y.size(), poison_element<output>()); // N = 0: all of Y is gaps
  return first_of(find_unequal_bits(outcome.array, outcome.y, spread), outcome.damage);
}

/// Within the bound, for real data; the gaps bit by bit.
template <gemm_format Format>
std::optional<std::string> check_gemm_bound(const gemm_libraries &libraries, const gemm_case &what,
                                            const gemm_data<Format> &data, int compute_capability) {
  const gemm_outcome<Format> outcome = run_gemm(libraries, what, data);
  const std::vector<gemm_element> reference = reference_of(data, what.shape);
  const gemm_shape &shape = what.shape;
  auto found = outcome.y;
  std::vector<double> expected(found.size());
  std::vector<double> bounds(found.size());
  auto gaps = found;
  for (std::size_t row = 0; row < shape.m; ++row) {
    for (std::size_t column = 0; column < shape.n; ++column) {
      const gemm_element &element = reference[row * shape.n + column];
      const std::size_t at = row * shape.y_stride + column;
      expected[at] = element.value;
      bounds[at] = gemm_bound(Format, shape.k, element, compute_capability);
      gaps[at] = poison_element<typename gemm_elements<Format>::output>();
    }
    for (std::size_t at = row * shape.y_stride + shape.n; at < (row + 1) * shape.y_stride; ++at)
      found[at] = round_to<typename gemm_elements<Format>::output>(0); // judged with the gaps
  }
  const std::vector<typename gemm_elements<Format>::output> untouched(
      gaps.size(), poison_element<typename gemm_elements<Format>::output>());
  return first_of(find_out_of_bound(outcome.array, found, expected, bounds),
                  find_unequal_bits(outcome.array, gaps, untouched), outcome.damage);
}

} // namespace gpucert
