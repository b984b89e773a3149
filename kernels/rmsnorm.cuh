// SPDX-License-Identifier: Apache-2.0
// RMSNorm: one block a row, which it reads twice; the second time the row is in the caches.
#pragma once

#include "kernels/block_sum.cuh"
#include "kernels/element.cuh"
#include "kernels/pack.cuh"

#include <cmath>
#include <cstddef>

namespace gpucert {

constexpr int rmsnorm_threads = 256;

/// Width is the number of elements in a pack: 1, or 16 bytes' worth when every row starts at a multiple of that.
template <class T, int Width>
__global__ void rmsnorm(const T *x, const T *weight, T *y, std::size_t width, float epsilon) {
  const std::size_t packs = width / Width; // Width divides it
  const T *row = x + width * blockIdx.x;
  T *row_out = y + width * blockIdx.x;

  float sum = 0;
  for (std::size_t index = threadIdx.x; index < packs; index += rmsnorm_threads) {
    const auto values = load_pack<Width>(row, index);
    for (int at = 0; at < Width; ++at)
      sum = std::fma(to_f32(values.at[at]), to_f32(values.at[at]), sum);
  }
  sum = block_sum<rmsnorm_threads>(sum);

  // A root and a division, each correctly rounded, once a row: rsqrtf would be faster and has no guaranteed error.
  const float scale = 1.0f / std::sqrt(sum / static_cast<float>(width) + epsilon);

  for (std::size_t index = threadIdx.x; index < packs; index += rmsnorm_threads) {
    const auto values = load_pack<Width>(row, index);
    const auto weights = load_pack<Width>(weight, index);
    pack<T, Width> result;
    for (int at = 0; at < Width; ++at)
      result.at[at] = from_f32<T>(to_f32(values.at[at]) * scale * to_f32(weights.at[at]));
    store_pack<Width>(row_out, index, result);
  }
}

} // namespace gpucert
