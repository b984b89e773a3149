// SPDX-License-Identifier: Apache-2.0
// Kernels of the probe: right ones, and one for each mistake that the engine must see.
#pragma once

#include "kernels/device_buffer.h"
#include "kernels/launch.cuh"

namespace gpucert::probe {

__global__ void sum_blocks(const int *in, int *sums, std::size_t count) {
  int *shared = dynamic_shared<int>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = shared[0];
}

template <class T> __global__ void sum_warp(T *sum) {
  T value = static_cast<T>(threadIdx.x);
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffU, value, distance);
  if (threadIdx.x == 0)
    *sum = value;
}

constexpr unsigned race_threads = 256; // eight warps: a random order of them is hardly ever the ascending one

/// Each thread reads what the warp before its own wrote, without waiting for it: right in ascending order only.
__global__ void shift_without_barrier(int *out) {
  __shared__ int values[race_threads];
  values[threadIdx.x] = -1;
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = values[threadIdx.x < 32 ? threadIdx.x : threadIdx.x - 32];
}

__global__ void wait_in_half_of_the_block(int) {
  if (threadIdx.x < 32)
    __syncthreads();
}

/// One warp waits at the barrier, the other for a lane that stands at the barrier too.
__global__ void wait_for_others(int) {
  if (threadIdx.x < 48)
    __syncthreads();
  else
    __syncwarp();
}

__global__ void write_one(int *out) { *out = 1; }

__global__ void write_one_too_many(int *out, int count) {
  if (threadIdx.x <= static_cast<unsigned>(count))
    out[threadIdx.x] = 1;
}

} // namespace gpucert::probe
