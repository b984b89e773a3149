// SPDX-License-Identifier: Apache-2.0
#include "kernels/rmsnorm.h"

#include "kernels/element.h"
#include "kernels/rounding.h"

#include <cmath>

namespace gpucert {

template <class T>
std::vector<double> reference_rmsnorm(const std::vector<T> &x, const std::vector<T> &weight, float epsilon) {
  const std::size_t width = weight.size();
  std::vector<double> y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double sum = 0;
    for (std::size_t at = 0; at < width; ++at)
      sum += to_double(x[row + at]) * to_double(x[row + at]);
    const double root = std::sqrt(sum / static_cast<double>(width) + double{epsilon});
    for (std::size_t at = 0; at < width; ++at)
      y[row + at] = to_double(x[row + at]) / root * to_double(weight[at]);
  }
  return y;
}

// With u = 2^-24 and n additions on the way of a square to the sum (at most ceil(width / 256) + 8 in its thread, where
// packs of at most 8 may leave threads with one pack more than others; 5 + 8 in the block):
//   sum     all terms have one sign:              s (1 + t), |t| <= gamma_n(u)
//   mean    a division, and adding epsilon:       v (1 + t), |t| <= gamma_(n+2)(u); all is positive again
//   1/sqrt  |(1 + t)^(-1/2) - 1| <= 0.51 |t| for |t| <= 0.01, and two roundings
//   y       two multiplications, and the rounding to T
// so that before the last rounding |error| <= |y| gamma_m(u), m = 0.51 (n + 2) + 4. Squares may underflow, each by at
// most 2^-149: against epsilon >= 2^-100 and width <= 2^24 that is 2^-25 in all, less than the one step that is added.
// The scaled element and the product may be subnormal in f32: 2^-149 (1 + |weight|). The reference is rounded too: its
// sum by up to width 2^-53, the rest by less than 8 2^-53.
template <class T> double rmsnorm_bound(std::size_t width, double reference, double weight) {
  const double additions = std::ceil(static_cast<double>(width) / 256) + 8 + 5 + 8;
  const double before_rounding = gamma_factor(0.51 * (additions + 2) + 4 + 1, element_traits<float>::unit_roundoff) +
                                 static_cast<double>(width + 8) * 0x1p-53;
  const double subnormal = element_traits<float>::smallest_subnormal * (1 + std::abs(weight));
  const double error = before_rounding * std::abs(reference) + subnormal;
  return error + element_traits<T>::unit_roundoff * (std::abs(reference) + error) +
         element_traits<T>::smallest_subnormal / 2;
}

work work_of_rmsnorm(std::size_t rows, std::size_t width, std::size_t element_bytes) {
  const double elements = static_cast<double>(rows) * static_cast<double>(width);
  work done;
  done.memory_bytes = (2 * elements + static_cast<double>(width)) * static_cast<double>(element_bytes);
  done.operations = 4 * elements; // a square, its addition, two multiplications
  done.unit = math_unit::f32;
  return done;
}

template std::vector<double> reference_rmsnorm(const std::vector<float> &, const std::vector<float> &, float);
template std::vector<double> reference_rmsnorm(const std::vector<__half> &, const std::vector<__half> &, float);
template std::vector<double> reference_rmsnorm(const std::vector<__nv_bfloat16> &, const std::vector<__nv_bfloat16> &,
                                               float);
template double rmsnorm_bound<float>(std::size_t, double, double);
template double rmsnorm_bound<__half>(std::size_t, double, double);
template double rmsnorm_bound<__nv_bfloat16>(std::size_t, double, double);

} // namespace gpucert
