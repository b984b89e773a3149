// SPDX-License-Identifier: Apache-2.0
// STREAM kernels. Width is the number of elements in a pack: 1, or 16 bytes' worth when every array is aligned to that.
#pragma once

#include "kernels/block_sum.cuh"
#include "kernels/pack.cuh"

#include <cmath>
#include <cstddef>

namespace gpucert {

constexpr int stream_threads = 256;

/// An array of `count` elements is so many packs, and the rest one by one.
template <int Width> __host__ __device__ constexpr std::size_t stream_items(std::size_t count) {
  return count / Width + count % Width;
}

__device__ inline std::size_t grid_thread() { return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline std::size_t grid_threads() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

/// out[i] = formula(inputs[i]...) for all i.
template <int Width, class T, class Formula, class... Inputs>
__device__ inline void write_stream(T *out, std::size_t count, Formula formula, const Inputs *...inputs) {
  const std::size_t packs = count / Width;
  const auto combine = [&](const auto &...loaded) {
    pack<T, Width> values;
    for (int at = 0; at < Width; ++at)
      values.at[at] = formula(loaded.at[at]...);
    return values;
  };
  for (std::size_t item = grid_thread(); item < stream_items<Width>(count); item += grid_threads()) {
    if (item < packs) {
      store_pack<Width>(out, item, combine(load_pack<Width>(inputs, item)...));
    } else {
      const std::size_t at = packs * Width + (item - packs);
      out[at] = formula(inputs[at]...);
    }
  }
}

template <class T, int Width> __global__ void stream_copy(const T *a, T *c, std::size_t count) {
  write_stream<Width>(
      c, count, [](T a_at) { return a_at; }, a);
}

template <class T, int Width> __global__ void stream_mul(T *b, const T *c, T scalar, std::size_t count) {
  write_stream<Width>(
      b, count, [scalar](T c_at) { return scalar * c_at; }, c);
}

template <class T, int Width> __global__ void stream_add(const T *a, const T *b, T *c, std::size_t count) {
  write_stream<Width>(
      c, count, [](T a_at, T b_at) { return a_at + b_at; }, a, b);
}

// The multiply-add is spelled out: a compiler may or may not fuse b + scalar * c, and the result is compared bit by
// bit.
template <class T, int Width> __global__ void stream_triad(T *a, const T *b, const T *c, T scalar, std::size_t count) {
  write_stream<Width>(
      a, count, [scalar](T b_at, T c_at) { return std::fma(scalar, c_at, b_at); }, b, c);
}

/// partial_sums[block] = the sum of a * b over the items of this block.
template <class T, int Width>
__global__ void stream_dot_blocks(const T *a, const T *b, T *partial_sums, std::size_t count) {
  const std::size_t packs = count / Width;
  T sum = 0;
  for (std::size_t item = grid_thread(); item < stream_items<Width>(count); item += grid_threads()) {
    if (item < packs) {
      const auto a_pack = load_pack<Width>(a, item);
      const auto b_pack = load_pack<Width>(b, item);
      for (int at = 0; at < Width; ++at)
        sum = std::fma(a_pack.at[at], b_pack.at[at], sum);
    } else {
      const std::size_t at = packs * Width + (item - packs);
      sum = std::fma(a[at], b[at], sum);
    }
  }
  sum = block_sum<stream_threads>(sum);
  if (threadIdx.x == 0)
    partial_sums[blockIdx.x] = sum;
}

/// One block.
template <class T> __global__ void stream_dot_total(const T *partial_sums, unsigned blocks, T *sum) {
  T total = 0;
  for (unsigned block = threadIdx.x; block < blocks; block += blockDim.x)
    total += partial_sums[block];
  total = block_sum<stream_threads>(total);
  if (threadIdx.x == 0)
    *sum = total;
}

} // namespace gpucert
