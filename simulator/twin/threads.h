// SPDX-License-Identifier: Apache-2.0
// Who a thread is, and the barriers and fences of its block.
#pragma once

#include "simulator/twin.h"

#define threadIdx (::gpucert::twin::current->thread_index)
#define blockIdx (::gpucert::twin::current->block_index)
#define blockDim (::gpucert::twin::current->block_shape)
#define gridDim (::gpucert::twin::current->grid_shape)
inline constexpr int warpSize = 32;

inline void __syncthreads() { gpucert_simulator_sync_block(gpucert::simulator::block_reduction::count, 0); }
inline int __syncthreads_count(int predicate) {
  return gpucert_simulator_sync_block(gpucert::simulator::block_reduction::count, predicate);
}
inline int __syncthreads_and(int predicate) {
  return gpucert_simulator_sync_block(gpucert::simulator::block_reduction::all, predicate);
}
inline int __syncthreads_or(int predicate) {
  return gpucert_simulator_sync_block(gpucert::simulator::block_reduction::any, predicate);
}

// Threads take turns, so that all writes are seen at once.
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

inline long long clock64() { return static_cast<long long>(__builtin_ia32_rdtsc()); }
inline long clock() { return static_cast<long>(clock64()); }
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap() { __builtin_trap(); }
