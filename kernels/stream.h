// SPDX-License-Identifier: Apache-2.0
// STREAM: the five kernels that measure memory bandwidth. Names, formulas and byte counts are those of BabelStream.
#pragma once

#include "harness/work.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace gpucert {

enum class stream_kernel {
  copy,  // c = a
  mul,   // b = scalar * c
  add,   // c = a + b
  triad, // a = b + scalar * c
  dot,   // sum of a * b
};

std::string_view name_of(stream_kernel kernel);

/// Three arrays of `count` elements in device memory, at any alignment of T; `sum` is one element for dot.
template <class T> struct stream_arrays {
  T *a = nullptr;
  T *b = nullptr;
  T *c = nullptr;
  T *sum = nullptr;
  std::size_t count = 0;
};

/// Starts one kernel on `stream`. T is float or double. Whole 16-byte vectors where all arrays are aligned to them, with
/// scalar tails; element by element otherwise. `scalar` is used by mul and triad. dot adds in a fixed tree, so that its
/// result repeats bit by bit. Throws cuda_error.
template <class T>
void launch_stream(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream);

/// The same on the host. copy, mul, add and triad are one rounding of exact arithmetic, and the device must agree bit by
/// bit (an FMA in triad rounds once: both are formed here). dot is summed in long double.
template <class T> struct stream_reference {
  std::vector<T> values;       // of the array that is written; empty for dot
  std::vector<T> fused_values; // triad with a fused multiply-add; else empty
  long double sum = 0;         // of dot
  long double sum_of_magnitudes = 0;
};
template <class T>
stream_reference<T> reference_stream(stream_kernel kernel, const std::vector<T> &a, const std::vector<T> &b,
                                     const std::vector<T> &c, T scalar);

/// Bytes: each array once (copy, mul and dot 2, add and triad 3 arrays).
work work_of_stream(stream_kernel kernel, std::size_t count, std::size_t element_bytes);

} // namespace gpucert
