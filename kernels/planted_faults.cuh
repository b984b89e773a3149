// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong on purpose: each is a sound one with one line changed.
#pragma once

#include "kernels/block_sum.cuh"
#include "kernels/element.cuh"
#include "kernels/rmsnorm.cuh"
#include "kernels/stream.cuh"

#include <cmath>
#include <cstddef>

namespace gpucert {

template <class T> __global__ void planted_past_end(const T *a, T *c, std::size_t count) {
  const std::size_t at = grid_thread();
  if (at <= count) // <
    c[at] = at < count ? a[at] : T{0};
}

template <class T> __global__ void planted_short_tail(const T *a, T *c, std::size_t count) {
  const std::size_t at = grid_thread();
  const std::size_t end_of_packs = count / pack_width<T> * pack_width<T>;
  if (at < end_of_packs || at + 1 < count) // at < count
    c[at] = a[at];
}

template <class T> __global__ void planted_idle_block(const T *a, T *c, std::size_t count) {
  const std::size_t at = grid_thread();
  if (blockIdx.x + 1 < gridDim.x && at < count) // without the first
    c[at] = a[at];
}

/// block_sum without the barrier that keeps the sums of the call before until all have read them.
template <int Threads, class T> __device__ inline T planted_block_sum(T value) {
  constexpr int warps = Threads / warp_threads;
  __shared__ T sums[warps];
  for (int distance = warp_threads / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  if (threadIdx.x % warp_threads == 0)
    sums[threadIdx.x / warp_threads] = value;
  __syncthreads();
  T sum = sums[0];
  for (int warp = 1; warp < warps; ++warp)
    sum += sums[warp];
  return sum;
}

template <class T>
__global__ void planted_without_barrier(const T *x, const T *weight, T *y, std::size_t width, float epsilon) {
  const T *row = x + width * blockIdx.x;
  T *row_out = y + width * blockIdx.x;
  const auto sum_from = [&](std::size_t first, std::size_t end) {
    float sum = 0;
    for (std::size_t at = first + threadIdx.x; at < end; at += rmsnorm_threads)
      sum = std::fma(to_f32(row[at]), to_f32(row[at]), sum);
    return planted_block_sum<rmsnorm_threads>(sum);
  };
  const float first_half = sum_from(0, width / 2);
  const float sum = first_half + sum_from(width / 2, width);
  const float scale = 1.0f / std::sqrt(sum / static_cast<float>(width) + epsilon);
  for (std::size_t at = threadIdx.x; at < width; at += rmsnorm_threads)
    row_out[at] = from_f32<T>(to_f32(row[at]) * scale * to_f32(weight[at]));
}

} // namespace gpucert
