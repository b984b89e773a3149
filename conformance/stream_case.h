// SPDX-License-Identifier: Apache-2.0
// One launch of a STREAM kernel, verified: result, inputs, guard zones.
#pragma once

#include "kernels/fill.h"
#include "kernels/stream.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gpucert {

struct stream_case {
  stream_kernel kernel = stream_kernel::copy;
  std::size_t count = 0;
  std::array<std::size_t, 3> starts{}; // of a, b and c, in elements after an aligned address
  std::uint64_t seed = 0;
  bool has_any_bits = false; // NaN, infinities and the like: for copy
};

/// launch_stream, or one that is wrong on purpose.
template <class T>
using stream_launch = std::function<void(stream_kernel, const stream_arrays<T> &, T scalar, cudaStream_t)>;

template <class T> struct stream_host_arrays {
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> c;
};

template <class T> struct stream_buffers {
  stream_buffers(const stream_host_arrays<T> &host, const stream_case &what)
      : a(host.a, what.starts[0]), b(host.b, what.starts[1]), c(host.c, what.starts[2]), sum(1),
        partial_sums(stream_dot_blocks_limit) {}

  stream_arrays<T> arrays() const { return {a.data(), b.data(), c.data(), sum.data(), partial_sums.data(), a.size()}; }

  device_buffer<T> a;
  device_buffer<T> b;
  device_buffer<T> c;
  device_buffer<T> sum;
  device_buffer<T> partial_sums;
};

template <class T> verified_array describe(const stream_case &what) {
  return {fmt::format("{} {}, {} elements, starts {} {} {}", name_of(what.kernel), element_traits<T>::name, what.count,
                      what.starts[0], what.starts[1], what.starts[2]),
          what.seed};
}

/// The array that a kernel other than dot writes.
template <class Arrays> auto &written_array(stream_kernel kernel, Arrays &arrays) {
  if (kernel == stream_kernel::triad)
    return arrays.a;
  return kernel == stream_kernel::mul ? arrays.b : arrays.c;
}

template <class T>
std::optional<std::string> find_wrong_sum(const verified_array &array, const stream_host_arrays<T> &host, T found) {
  const auto reference = reference_stream<T>(stream_kernel::dot, host.a, host.b, host.c, T{});
  const double bound = stream_dot_bound<T>(host.a.size(), reference.sum_of_magnitudes);
  // In long double: the bound of f64 is finer than double holds the reference.
  if (std::abs(static_cast<long double>(found) - reference.sum) <= bound)
    return std::nullopt;
  return say_out_of_bound(array, {0, 1}, 1, to_double(found), static_cast<double>(reference.sum), bound);
}

/// dot, twice: within the bound, and the same bits again.
template <class T>
std::optional<std::string> check_dot(const verified_array &array, const stream_host_arrays<T> &host,
                                     stream_buffers<T> &device, const stream_launch<T> &launch) {
  launch(stream_kernel::dot, device.arrays(), T{}, nullptr);
  const std::vector<T> first = device.sum.download();
  device.sum.poison();
  launch(stream_kernel::dot, device.arrays(), T{}, nullptr);
  const verified_array again{array.name + ", the second time", array.seed};
  return first_of(find_wrong_sum(array, host, first[0]), find_unequal_bits(again, device.sum.download(), first));
}

/// Runs the case and says what is wrong.
template <class T> std::optional<std::string> check_stream(const stream_case &what, const stream_launch<T> &launch) {
  const auto fill = [&](std::uint64_t seed) {
    return what.has_any_bits ? random_bits<T>(what.count, seed) : random_reals<T>(what.count, -2, 2, seed);
  };
  stream_host_arrays<T> host{fill(what.seed), fill(what.seed + 1), fill(what.seed + 2)};
  stream_buffers<T> device(host, what);
  const verified_array array = describe<T>(what);

  std::optional<std::string> wrong_sum;
  if (what.kernel == stream_kernel::dot) {
    wrong_sum = check_dot(array, host, device, launch);
  } else {
    const T scalar = static_cast<T>(0.4); // as in BabelStream; no power of two, so that mul and triad round
    written_array(what.kernel, device).poison();
    launch(what.kernel, device.arrays(), scalar, nullptr);
    GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
    // Now `host` is what the arrays should hold: the written one the reference, the others what they held before.
    written_array(what.kernel, host) = reference_stream<T>(what.kernel, host.a, host.b, host.c, scalar).values;
  }
  return first_of(std::move(wrong_sum), find_unequal_bits(array, device.a.download(), host.a),
                  find_unequal_bits(array, device.b.download(), host.b),
                  find_unequal_bits(array, device.c.download(), host.c), find_damaged_guard(array, "a", device.a),
                  find_damaged_guard(array, "b", device.b), find_damaged_guard(array, "c", device.c),
                  find_damaged_guard(array, "sum", device.sum),
                  find_damaged_guard(array, "partial_sums", device.partial_sums));
}

} // namespace gpucert
