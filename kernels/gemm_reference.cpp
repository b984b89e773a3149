// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_reference.h"

#include "kernels/fill.h"
#include "kernels/rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gpucert {
namespace {

/// Column `at` of w for each row: neighbours in memory are neighbours in the result, which the compiler can vectorise.
std::vector<double> transpose(const std::vector<double> &w, std::size_t n, std::size_t k) {
  std::vector<double> transposed(n * k);
  for (std::size_t column = 0; column < n; ++column)
    for (std::size_t at = 0; at < k; ++at)
      transposed[at * n + column] = w[column * k + at];
  return transposed;
}

/// The unit roundoff of a sum in f32 on tensor cores: they cut off, they do not round.
constexpr double u_cut = 0x1p-23;

/// The part of the bound that is proportional to the magnitude, before the result is rounded.
///
/// A tensor core adds k products to an accumulator at a time: all are aligned to the largest and cut to F bits of
/// fraction, and the sum is cut to f32. In T = ceil(K / k) steps and with partial sums of `splits` parts of K, all is
/// covered by gamma_(K + 2 T + splits)(2^-23) for F of 23 (Volta) to 25 (Hopper and later) and k of 4 or more. Which k
/// and how many splits the library takes is not known: k = 4 and a split for each step are the worst. Model: Fasi,
/// Higham, Mikaitis and Pranesh, PeerJ Comput. Sci. 7:e330 (2021), and arXiv 2511.10909; for the sum in chained steps
/// Blanchard, Higham, Lopez, Mary and Pranesh, SIAM J. Sci. Comput. 42(3), C124 (2020).
double relative_bound(gemm_format format, std::size_t k, int compute_capability) {
  const auto products = static_cast<double>(k);
  const double steps = std::ceil(products / 4);
  switch (format) {
  case gemm_format::f32: // any order of additions, fused or not: K roundings to nearest on the way of a product
    return gamma_factor(products, element_traits<float>::unit_roundoff);
  case gemm_format::tf32:
  case gemm_format::f16:
  case gemm_format::bf16:
    return gamma_factor(products + 2 * steps + steps, u_cut);
  case gemm_format::s8:
    return 0;
  case gemm_format::f8:
    if (compute_capability >= 100)
      return gamma_factor(products + 2 * steps + steps, u_cut);
    // Ada and Hopper align to F = 13 bits and keep 13 bits of the sum: (k + 2) 2^-13 for each step of k products, and
    // k = 16 (the halves of Ada's k = 32) is worse than Hopper's 32. FAST_ACCUM is off, so sums move to f32 now and
    // then; the manual does not say how often, and the bound takes it for never.
    return std::ceil(products / 16) * 18 * 0x1p-13 + gamma_factor(steps, u_cut);
  }
  throw std::invalid_argument("no such GEMM format");
}

struct output_rounding {
  double unit_roundoff;
  double half_subnormal;
};

template <class Out>
constexpr output_rounding rounding_to = {element_traits<Out>::unit_roundoff,
                                         element_traits<Out>::smallest_subnormal / 2};

output_rounding output_rounding_of(gemm_format format) {
  switch (format) {
  case gemm_format::f16:
    return rounding_to<__half>;
  case gemm_format::bf16:
  case gemm_format::f8:
    return rounding_to<__nv_bfloat16>;
  default:
    return rounding_to<float>;
  }
}

} // namespace

std::vector<gemm_element> reference_gemm(const gemm_inputs &inputs, std::size_t m, std::size_t n, std::size_t k) {
  const std::vector<double> w = transpose(inputs.w, n, k);
  std::vector<gemm_element> elements(m * n);
  std::vector<double> values(n);
  std::vector<double> magnitudes(n);
  for (std::size_t row = 0; row < m; ++row) {
    std::fill(values.begin(), values.end(), 0.0);
    std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
    for (std::size_t at = 0; at < k; ++at) {
      const double factor = inputs.x[row * k + at];
      const double *w_row = w.data() + at * n; // of an empty w as well
      for (std::size_t column = 0; column < n; ++column) {
        const double product = factor * w_row[column];
        values[column] += product;
        magnitudes[column] += std::abs(product);
      }
    }
    for (std::size_t column = 0; column < n; ++column)
      elements[row * n + column] = {values[column], magnitudes[column]};
  }
  return elements;
}

double gemm_bound(gemm_format format, std::size_t k, const gemm_element &reference, int compute_capability) {
  if (format == gemm_format::s8)
    return 0;
  const double of_reference = gamma_factor(static_cast<double>(k), element_traits<double>::unit_roundoff);
  // Underflow in the sums: at most 2^-126 a step where a GPU takes subnormals for zero.
  const double underflow = static_cast<double>(2 * k) * 0x1p-126;
  const double error = (relative_bound(format, k, compute_capability) + of_reference) * reference.magnitude + underflow;
  const output_rounding rounding = output_rounding_of(format);
  return error + rounding.unit_roundoff * (std::abs(reference.value) + error) + rounding.half_subnormal;
}

std::size_t most_exact_k(gemm_format format, int x_limit, int w_limit) {
  const auto product = static_cast<std::size_t>(x_limit) * static_cast<std::size_t>(w_limit);
  switch (format) {
  case gemm_format::s8:
    return ((std::size_t{1} << 31) - 1) / product;
  case gemm_format::f8:
    return (std::size_t{1} << 13) / product; // Ada and Hopper keep 13 bits of a sum
  default:
    return (std::size_t{1} << 23) / product; // 24 bits of f32, less one for how products are aligned
  }
}

template <class In, class Out>
std::optional<std::string> find_wrong_checksum(const std::vector<In> &x, const std::vector<In> &w,
                                               const std::vector<Out> &y, const gemm_shape &shape, std::uint64_t seed) {
  random_source source(seed);
  std::vector<double> signs(shape.n);
  for (double &sign : signs)
    sign = source.next() % 2 == 0 ? 1 : -1;
  std::vector<double> w_sums(shape.k);
  for (std::size_t column = 0; column < shape.n; ++column)
    for (std::size_t at = 0; at < shape.k; ++at)
      w_sums[at] += signs[column] * to_double(w[column * shape.w_stride + at]);
  for (std::size_t row = 0; row < shape.m; ++row) {
    double expected = 0;
    for (std::size_t at = 0; at < shape.k; ++at)
      expected += to_double(x[row * shape.x_stride + at]) * w_sums[at];
    double found = 0;
    for (std::size_t column = 0; column < shape.n; ++column)
      found += signs[column] * to_double(y[row * shape.y_stride + column]);
    if (!(found == expected)) // NaN is no equal
      return fmt::format("row {} of {}: checksum {}, expected {} (seed {})", row, shape.m, found, expected, seed);
  }
  return std::nullopt;
}

template std::optional<std::string> find_wrong_checksum(const std::vector<float> &, const std::vector<float> &,
                                                        const std::vector<float> &, const gemm_shape &, std::uint64_t);
template std::optional<std::string> find_wrong_checksum(const std::vector<__half> &, const std::vector<__half> &,
                                                        const std::vector<__half> &, const gemm_shape &, std::uint64_t);
template std::optional<std::string> find_wrong_checksum(const std::vector<__nv_bfloat16> &,
                                                        const std::vector<__nv_bfloat16> &,
                                                        const std::vector<__nv_bfloat16> &, const gemm_shape &,
                                                        std::uint64_t);
template std::optional<std::string> find_wrong_checksum(const std::vector<std::int8_t> &,
                                                        const std::vector<std::int8_t> &,
                                                        const std::vector<std::int32_t> &, const gemm_shape &,
                                                        std::uint64_t);
template std::optional<std::string> find_wrong_checksum(const std::vector<__nv_fp8_e4m3> &,
                                                        const std::vector<__nv_fp8_e4m3> &,
                                                        const std::vector<__nv_bfloat16> &, const gemm_shape &,
                                                        std::uint64_t);

} // namespace gpucert
