// SPDX-License-Identifier: Apache-2.0
// The sum over a block, in a fixed order, so that it repeats bit by bit.
#pragma once

#include <cuda_runtime.h>

namespace gpucert {

constexpr int warp_threads = 32;

/// Additions on the way of one thread's value to the sum: 5 in the warp, then one for each warp.
constexpr int block_sum_additions(int threads) { return 5 + threads / warp_threads; }

/// Every thread of a block of exactly `Threads` must call it, and gets the same bits.
template <int Threads, class T> __device__ inline T block_sum(T value) {
  static_assert(Threads % warp_threads == 0);
  constexpr int warps = Threads / warp_threads;
  __shared__ T sums[warps];

  for (int distance = warp_threads / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  __syncthreads(); // of an earlier call, threads may still read
  if (threadIdx.x % warp_threads == 0)
    sums[threadIdx.x / warp_threads] = value;
  __syncthreads();
  T sum = sums[0];
  for (int warp = 1; warp < warps; ++warp)
    sum += sums[warp];
  return sum;
}

} // namespace gpucert
