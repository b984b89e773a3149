// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/device_description.h"

#include <cstring>

namespace gpucert::simulator {
namespace {

// The same on every GPU since compute capability 7.5.
constexpr int warp_size = 32;
constexpr int most_threads_per_block = 1024;
constexpr int registers = 65536;
constexpr int shared_bytes_without_opt_in = 48 * 1024;
constexpr int reserved_shared_bytes = 1024; // since 8.0

int reserved_shared_of(const profile &gpu) { return gpu.compute_major >= 8 ? reserved_shared_bytes : 0; }

/// "0000:1b:00.0": the bus number in hexadecimal.
int bus_number(const simulation &what, int device) {
  return std::stoi(what.pci_address(device).substr(5, 2), nullptr, 16);
}

void fill_limits(cudaDeviceProp &made, const profile &gpu) {
  made.sharedMemPerBlock = shared_bytes_without_opt_in;
  made.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_bytes_per_block);
  made.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_bytes_per_multiprocessor);
  made.reservedSharedMemPerBlock = static_cast<std::size_t>(reserved_shared_of(gpu));
  made.regsPerBlock = made.regsPerMultiprocessor = registers;
  made.warpSize = warp_size;
  made.maxThreadsPerBlock = most_threads_per_block;
  made.maxThreadsPerMultiProcessor = gpu.threads_per_multiprocessor;
  made.maxBlocksPerMultiProcessor = gpu.blocks_per_multiprocessor;
  constexpr int block[3] = {1024, 1024, 64};
  constexpr int grid[3] = {0x7fffffff, 65535, 65535};
  std::memcpy(made.maxThreadsDim, block, sizeof block);
  std::memcpy(made.maxGridSize, grid, sizeof grid);
  made.memPitch = 0x7fffffff;
  made.totalConstMem = 65536;
}

} // namespace

cudaDeviceProp properties_of(const simulation &what, int device) {
  const profile &gpu = what.gpu;
  cudaDeviceProp made;
  std::memset(&made, 0, sizeof made);
  gpu.name.copy(made.name, sizeof made.name - 1);
  made.uuid.bytes[15] = static_cast<char>(device);
  made.major = gpu.compute_major;
  made.minor = gpu.compute_minor;
  made.totalGlobalMem = static_cast<std::size_t>(gpu.memory_bytes);
  made.multiProcessorCount = gpu.multiprocessors;
  made.l2CacheSize = static_cast<int>(gpu.l2_bytes);
  made.memoryBusWidth = gpu.memory_bus_bits;
  made.ECCEnabled = 1;
  made.pciBusID = bus_number(what, device);
  made.asyncEngineCount = 3;
  made.unifiedAddressing = 1;
  made.concurrentKernels = 1;
  made.canMapHostMemory = 1;
  made.cooperativeLaunch = 1;
#if CUDART_VERSION >= 12000
  made.memoryPoolsSupported = 1;
#endif
#if CUDART_VERSION < 13000
  made.clockRate = gpu.sm_clock_khz;
  made.memoryClockRate = gpu.memory_clock_khz;
#endif
  fill_limits(made, gpu);
  return made;
}

std::optional<int> attribute_of(const simulation &what, int device, cudaDeviceAttr attribute) {
  const profile &gpu = what.gpu;
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return most_threads_per_block;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrMaxGridDimX:
    return 0x7fffffff;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 65535;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return shared_bytes_without_opt_in;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return gpu.shared_bytes_per_block;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return gpu.shared_bytes_per_multiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return reserved_shared_of(gpu);
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return registers;
  case cudaDevAttrTotalConstantMemory:
    return 65536;
  case cudaDevAttrWarpSize:
    return warp_size;
  case cudaDevAttrClockRate:
    return gpu.sm_clock_khz;
  case cudaDevAttrMemoryClockRate:
    return gpu.memory_clock_khz;
  case cudaDevAttrGlobalMemoryBusWidth:
    return gpu.memory_bus_bits;
  case cudaDevAttrMultiProcessorCount:
    return gpu.multiprocessors;
  case cudaDevAttrL2CacheSize:
    return static_cast<int>(gpu.l2_bytes);
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return gpu.threads_per_multiprocessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return gpu.blocks_per_multiprocessor;
  case cudaDevAttrComputeCapabilityMajor:
    return gpu.compute_major;
  case cudaDevAttrComputeCapabilityMinor:
    return gpu.compute_minor;
  case cudaDevAttrPciBusId:
    return bus_number(what, device);
  case cudaDevAttrPciDeviceId:
  case cudaDevAttrPciDomainId:
  case cudaDevAttrKernelExecTimeout:
  case cudaDevAttrIntegrated:
  case cudaDevAttrComputeMode:
  case cudaDevAttrTccDriver:
  case cudaDevAttrPageableMemoryAccess:
  case cudaDevAttrManagedMemory: // real GPUs have it; nothing here can be migrated
    return 0;
  case cudaDevAttrEccEnabled:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrMemoryPoolsSupported:
    return 1;
  case cudaDevAttrAsyncEngineCount:
    return 3;
  default:
    return std::nullopt;
  }
}

} // namespace gpucert::simulator
