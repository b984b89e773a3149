// SPDX-License-Identifier: Apache-2.0
// RMSNorm of each row: y = x / sqrt(mean(x^2) + epsilon) * weight, the normalisation of Llama and its kin.
#pragma once

#include "harness/work.h"

#include <cstddef>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <vector>

namespace gpucert {

/// Row-major arrays in device memory, at any alignment of T; `weight` is one row.
template <class T> struct rmsnorm_arrays {
  const T *x = nullptr;
  const T *weight = nullptr;
  T *y = nullptr;
  std::size_t rows = 0;
  std::size_t width = 0; // at most 2^24, which f32 holds exactly
};

/// Starts the kernel on `stream`. T is float, __half or __nv_bfloat16; all arithmetic is in f32. A row does not depend
/// on the others, and repeats bit by bit. Throws cuda_error; std::invalid_argument for a width or a number of rows that
/// no launch can take.
template <class T> void launch_rmsnorm(const rmsnorm_arrays<T> &arrays, float epsilon, cudaStream_t stream);

/// The same on the host, in double and not rounded to T. The width is that of `weight`.
template <class T>
std::vector<double> reference_rmsnorm(const std::vector<T> &x, const std::vector<T> &weight, float epsilon);

/// How far an element of the result may be from `reference`. Holds for |x| < 2^60, epsilon >= 2^-100 and results that T
/// does not overflow.
template <class T> double rmsnorm_bound(std::size_t width, double reference, double weight);

/// Bytes: x and y once, and the weight once, which stays in the caches from then on.
work work_of_rmsnorm(std::size_t rows, std::size_t width, std::size_t element_bytes);

} // namespace gpucert
