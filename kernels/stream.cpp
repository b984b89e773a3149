// SPDX-License-Identifier: Apache-2.0
#include "kernels/stream.h"

#include "kernels/element.h"
#include "kernels/rounding.h"

#include <cmath>
#include <stdexcept>

namespace gpucert {

std::string_view name_of(stream_kernel kernel) {
  switch (kernel) {
  case stream_kernel::copy:
    return "copy";
  case stream_kernel::mul:
    return "mul";
  case stream_kernel::add:
    return "add";
  case stream_kernel::triad:
    return "triad";
  case stream_kernel::dot:
    return "dot";
  }
  throw std::invalid_argument("no such STREAM kernel");
}

namespace {

template <class T> stream_reference<T> reference_dot(const std::vector<T> &a, const std::vector<T> &b) {
  stream_reference<T> reference;
  for (std::size_t at = 0; at < a.size(); ++at) {
    const long double product = static_cast<long double>(a[at]) * b[at];
    reference.sum += product;
    reference.sum_of_magnitudes += std::abs(product);
  }
  return reference;
}

} // namespace

template <class T>
stream_reference<T> reference_stream(stream_kernel kernel, const std::vector<T> &a, const std::vector<T> &b,
                                     const std::vector<T> &c, T scalar) {
  if (kernel == stream_kernel::dot)
    return reference_dot(a, b);
  stream_reference<T> reference;
  std::vector<T> &values = reference.values;
  values.resize(a.size());
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (kernel == stream_kernel::copy)
      values[at] = a[at];
    else if (kernel == stream_kernel::mul)
      values[at] = scalar * c[at];
    else if (kernel == stream_kernel::add)
      values[at] = a[at] + b[at];
    else
      values[at] = std::fma(scalar, c[at], b[at]);
  }
  return reference;
}

// A product goes through the fused multiply-adds of its thread, then twice through a block's sum and, between, through
// the additions of the partial sums that one thread takes. A thread takes at most ceil(items / (blocks * 256)) packs of
// at most 4 elements, and more than one only when there are 4096 blocks of 256: count / 2^20 + 8 steps are no fewer.
// A block's sum is 5 + 8 additions; 4096 partial sums are 16 for each of 256 threads.
template <class T> double stream_dot_bound(std::size_t count, long double sum_of_magnitudes) {
  const double steps = static_cast<double>(count) / (4096 * 256) + 8 + 2 * (5 + 8) + 16;
  const double of_reference = static_cast<double>(count + 1) * 0x1p-63; // long double has 64 bits or more
  return (gamma_factor(steps, element_traits<T>::unit_roundoff) + of_reference) *
         static_cast<double>(sum_of_magnitudes) * (1 + 0x1p-50); // the factor: this formula is rounded too
}

work work_of_stream(stream_kernel kernel, std::size_t count, std::size_t element_bytes) {
  const bool has_three_arrays = kernel == stream_kernel::add || kernel == stream_kernel::triad;
  const bool has_two_operations = kernel == stream_kernel::triad || kernel == stream_kernel::dot;
  const auto elements = static_cast<double>(count);
  work done;
  done.memory_bytes = (has_three_arrays ? 3 : 2) * elements * static_cast<double>(element_bytes);
  done.operations = kernel == stream_kernel::copy ? 0 : (has_two_operations ? 2 : 1) * elements;
  done.unit = element_bytes == sizeof(double) ? math_unit::f64 : math_unit::f32;
  return done;
}

template stream_reference<float> reference_stream(stream_kernel, const std::vector<float> &, const std::vector<float> &,
                                                  const std::vector<float> &, float);
template stream_reference<double> reference_stream(stream_kernel, const std::vector<double> &,
                                                   const std::vector<double> &, const std::vector<double> &, double);
template double stream_dot_bound<float>(std::size_t, long double);
template double stream_dot_bound<double>(std::size_t, long double);

} // namespace gpucert
