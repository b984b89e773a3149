// SPDX-License-Identifier: Apache-2.0
// What the twin (kernels compiled by the host compiler) and the simulated CUDA runtime tell each other. C++17.
#pragma once

#include <cstddef>
#include <vector_types.h>

namespace gpucert::simulator {

/// Who the running thread of a kernel is; the engine points `twin_kernel::current` at it before each step.
struct kernel_thread {
  uint3 thread_index;
  uint3 block_index;
  dim3 block_shape;
  dim3 grid_shape;
  unsigned lane; // in its warp
  unsigned warp; // in its block
};

/// One instance of a kernel in a twin.
struct twin_kernel {
  const void *function;
  void (*invoke)(const void *function, void *const *arguments);
  unsigned parameter_count;
  const std::size_t *parameter_bytes;
  const bool *is_pointer;
  const kernel_thread **current; // the twin's variable
  void **dynamic_shared;         // the twin's variable
};

constexpr unsigned lanes_per_warp = 32;
constexpr std::size_t most_exchanged_bytes = 64; // by one lane in one warp operation

/// A meeting of lanes: what each of them brought.
struct warp_exchange {
  alignas(16) unsigned char brought[lanes_per_warp][most_exchanged_bytes];
};

enum class block_reduction : int { count, all, any };

} // namespace gpucert::simulator

// Exported by the simulated libcudart. Only those that a kernel calls may be used inside a kernel.
extern "C" {
/// At load time of a twin. Returns false when the function has no name in the dynamic symbol table.
bool gpucert_simulator_register_kernel(const gpucert::simulator::twin_kernel *kernel);

/// __syncthreads and its variants with a predicate.
int gpucert_simulator_sync_block(gpucert::simulator::block_reduction kind, int predicate);

/// Waits until all lanes of `mask` have come with the same `operation`; each must leave with leave_warp afterwards.
gpucert::simulator::warp_exchange *gpucert_simulator_meet_warp(int operation, unsigned mask, const void *brought,
                                                               std::size_t bytes);
void gpucert_simulator_leave_warp(gpucert::simulator::warp_exchange *meeting);
}
