// SPDX-License-Identifier: Apache-2.0
// STREAM: the five kernels that measure memory bandwidth. Names, formulas and byte counts are those of BabelStream.
#pragma once

#include "harness/work.h"

#include <cstddef>
#include <cuda_runtime_api.h>
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

/// dot adds in two passes; the first leaves at most so many sums. Fixed, and not by the number of multiprocessors, so
/// that the order of additions is the same on every GPU; some waves of blocks on the largest one.
constexpr std::size_t stream_dot_blocks_limit = 4096;

/// Three arrays of `count` elements in device memory, at any alignment of T.
template <class T> struct stream_arrays {
  T *a = nullptr;
  T *b = nullptr;
  T *c = nullptr;
  T *sum = nullptr;          // of dot: one element
  T *partial_sums = nullptr; // of dot: stream_dot_blocks_limit elements for its own use
  std::size_t count = 0;
};

/// Starts one kernel on `stream`. T is float or double. Whole 16-byte vectors where all arrays are aligned to them,
/// with scalar tails; element by element otherwise. `scalar` is used by mul and triad; triad is a fused multiply-add.
/// dot adds in a fixed order, so that its result repeats bit by bit. Throws cuda_error.
template <class T>
void launch_stream(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream);

/// The same on the host. copy, mul, add and triad round once, and the device must agree bit by bit.
template <class T> struct stream_reference {
  std::vector<T> values;             // of the array that is written; empty for dot
  long double sum = 0;               // of dot
  long double sum_of_magnitudes = 0; // of dot: of |a * b|
};
template <class T>
stream_reference<T> reference_stream(stream_kernel kernel, const std::vector<T> &a, const std::vector<T> &b,
                                     const std::vector<T> &c, T scalar);

/// How far dot of `count` elements may be from the reference's sum. No product may be subnormal.
template <class T> double stream_dot_bound(std::size_t count, long double sum_of_magnitudes);

/// Bytes: each array once (copy, mul and dot 2, add and triad 3 arrays).
work work_of_stream(stream_kernel kernel, std::size_t count, std::size_t element_bytes);

} // namespace gpucert
