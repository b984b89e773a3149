// SPDX-License-Identifier: Apache-2.0
// What a GEMM should give, calculated on the host, and how far a correct result may be from it.
//
// All elements (reference_gemm) for what a test can afford, single ones (reference_gemm_at) for the shapes of models,
// and checksums (find_wrong_checksum) for every element of a large result of integers: a single wrong one is always
// seen.
#pragma once

#include "kernels/element.h"
#include "kernels/gemm.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpucert {

/// An element of X W^T, and of |X| |W|^T, by which errors are bounded. Sums of integers below 2^53 are exact.
struct gemm_element {
  double value = 0;
  double magnitude = 0;
};

/// The inputs as double, rows without gaps.
struct gemm_inputs {
  std::vector<double> x; // m rows of k
  std::vector<double> w; // n rows of k
};

/// All elements, row by row without gaps. Costs about a nanosecond for each of m n k products.
std::vector<gemm_element> reference_gemm(const gemm_inputs &inputs, std::size_t m, std::size_t n, std::size_t k);

/// One element. x and w have the strides of `shape`.
template <class In>
gemm_element reference_gemm_at(const std::vector<In> &x, const std::vector<In> &w, const gemm_shape &shape,
                               std::size_t row, std::size_t column) {
  gemm_element element;
  for (std::size_t at = 0; at < shape.k; ++at) {
    const double product = to_double(x[row * shape.x_stride + at]) * to_double(w[column * shape.w_stride + at]);
    element.value += product;
    element.magnitude += std::abs(product);
  }
  return element;
}

/// How far a correct result may be from `reference`, whatever order the library adds in. Inputs are exact in the
/// format. Holds where the result does not overflow. 0 for s8.
double gemm_bound(gemm_format format, std::size_t k, const gemm_element &reference, int compute_capability);

/// The largest K with which integers up to `x_limit` and `w_limit` in magnitude give exact sums in every order.
std::size_t most_exact_k(gemm_format format, int x_limit, int w_limit);

/// Compares Y r with X (W^T r) for a random vector r of +1 and -1 (Freivalds), row by row: m n + n k + m k steps for m
/// n k products. For integers in X and W, with results that the output type holds exactly: the comparison is exact
/// then. Says which row is wrong; nothing when all agree.
template <class In, class Out>
std::optional<std::string> find_wrong_checksum(const std::vector<In> &x, const std::vector<In> &w,
                                               const std::vector<Out> &y, const gemm_shape &shape, std::uint64_t seed);

} // namespace gpucert
