// SPDX-License-Identifier: Apache-2.0
// What is known of a kernel, and how many of its blocks fit.
#include "simulator/runtime/kernel_registry.h"
#include "simulator/runtime/process.h"

#include <algorithm>

namespace gpucert::simulator {
namespace {

// The twin has no registers: what ordinary kernels use.
constexpr int usual_registers = 32;
constexpr int registers_per_multiprocessor = 65536;

int blocks_per_multiprocessor(const profile &gpu, int block_threads, std::size_t shared_bytes) {
  const int warp_threads = (block_threads + 31) / 32 * 32;
  int blocks = std::min(gpu.blocks_per_multiprocessor, gpu.threads_per_multiprocessor / warp_threads);
  blocks = std::min(blocks, registers_per_multiprocessor / (usual_registers * warp_threads));
  const std::size_t reserved = gpu.compute_major >= 8 ? 1024 : 0;
  if (shared_bytes + reserved > 0)
    blocks = std::min(blocks, static_cast<int>(static_cast<std::size_t>(gpu.shared_bytes_per_multiprocessor) /
                                               (shared_bytes + reserved)));
  return blocks;
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *stub) {
  return call_device([&](process_state &process) -> cudaError_t {
    const registered_function *function = find_function(stub);
    if (!function)
      return cudaErrorInvalidDeviceFunction;
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = usual_registers;
    attributes->maxDynamicSharedSizeBytes = function->most_dynamic_shared_bytes;
    attributes->binaryVersion = attributes->ptxVersion =
        process.what.gpu.compute_major * 10 + process.what.gpu.compute_minor;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *stub, cudaFuncAttribute attribute, int value) {
  return call_device([&](process_state &process) -> cudaError_t {
    registered_function *function = find_function(stub);
    if (!function)
      return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      if (value < 0 || value > process.what.gpu.shared_bytes_per_block)
        return cudaErrorInvalidValue;
      function->most_dynamic_shared_bytes = value;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *, int block_threads,
                                                                   std::size_t shared_bytes, unsigned) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (block_threads <= 0 || block_threads > 1024)
      return cudaErrorInvalidValue;
    *blocks = blocks_per_multiprocessor(process.what.gpu, block_threads, shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int block_threads,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, block_threads, shared_bytes, 0);
}

} // extern "C"
