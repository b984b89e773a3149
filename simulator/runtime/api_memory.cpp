// SPDX-License-Identifier: Apache-2.0
// Memory of devices, and pinned memory of the host.
#include "simulator/runtime/process.h"

#include <cstdlib>
#include <cstring>

namespace gpucert::simulator {
namespace {

constexpr std::size_t page_bytes = 4096;

cudaError_t allocate(process_state &process, void **pointer, std::size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  process.host_us += allocation_us;
  const fault *failing = process.what.faults.find(fault_name::malloc_fail);
  if (++process.allocations; failing && *failing->number == process.allocations)
    return cudaErrorMemoryAllocation;
  if (bytes == 0)
    return cudaSuccess;
  *pointer = process.current().memory.allocate(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(process_state &process, void *pointer) {
  if (!pointer)
    return cudaSuccess;
  const auto device = process.device_of(pointer);
  if (!device)
    return cudaErrorInvalidValue;
  simulated_device &owner = *process.devices[static_cast<std::size_t>(*device)];
  const cudaError_t error = process.wait_for(owner); // cudaFree waits for what uses the memory
  return owner.memory.release(pointer) ? error : cudaErrorInvalidValue;
}

cudaError_t allocate_pinned(process_state &process, void **pointer, std::size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  process.host_us += allocation_us;
  if (bytes == 0)
    return cudaSuccess;
  void *const memory = std::aligned_alloc(page_bytes, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  if (!memory)
    return cudaErrorMemoryAllocation;
  process.pinned.emplace(static_cast<const std::byte *>(memory), bytes);
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t describe(process_state &process, cudaPointerAttributes &attributes, const void *pointer) {
  attributes = {};
  attributes.type = cudaMemoryTypeUnregistered;
  attributes.device = -2; // cudaInvalidDeviceId
  if (const auto device = process.device_of(pointer)) {
    attributes.type = cudaMemoryTypeDevice;
    attributes.device = *device;
    attributes.devicePointer = const_cast<void *>(pointer);
  } else if (process.is_pinned(pointer)) {
    attributes.type = cudaMemoryTypeHost;
    attributes.device = current_device();
    attributes.devicePointer = attributes.hostPointer = const_cast<void *>(pointer);
  } else {
    attributes.hostPointer = const_cast<void *>(pointer);
  }
  return cudaSuccess;
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaMalloc(void **pointer, std::size_t bytes) {
  return call_device([&](process_state &process) { return allocate(process, pointer, bytes); });
}

cudaError_t cudaFree(void *pointer) {
  return call_device([&](process_state &process) { return release(process, pointer); });
}

cudaError_t cudaMallocAsync(void **pointer, std::size_t bytes, cudaStream_t) { return cudaMalloc(pointer, bytes); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) { return cudaFree(pointer); }

cudaError_t cudaMallocHost(void **pointer, std::size_t bytes) {
  return call_device([&](process_state &process) { return allocate_pinned(process, pointer, bytes); });
}

cudaError_t cudaHostAlloc(void **pointer, std::size_t bytes, unsigned) { return cudaMallocHost(pointer, bytes); }

cudaError_t cudaFreeHost(void *pointer) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!pointer)
      return cudaSuccess;
    for (const auto &device : process.devices)
      process.wait_for(*device);
    if (process.pinned.erase(static_cast<const std::byte *>(pointer)) == 0)
      return cudaErrorInvalidValue;
    std::free(pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void *pointer, std::size_t bytes, unsigned) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (process.is_pinned(pointer))
      return cudaErrorHostMemoryAlreadyRegistered;
    process.pinned.emplace(static_cast<const std::byte *>(pointer), bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return call_device([&](process_state &process) -> cudaError_t {
    return process.pinned.erase(static_cast<const std::byte *>(pointer)) == 0 ? cudaErrorHostMemoryNotRegistered
                                                                              : cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *pointer, unsigned) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!process.is_pinned(pointer))
      return cudaErrorInvalidValue;
    *device_pointer = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t *free_bytes, std::size_t *total_bytes) {
  return call_device([&](process_state &process) -> cudaError_t {
    const device_memory &memory = process.current().memory;
    *free_bytes = memory.free_bytes();
    *total_bytes = memory.capacity_bytes();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return call_device([&](process_state &process) { return describe(process, *attributes, pointer); });
}

} // extern "C"
