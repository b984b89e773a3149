// SPDX-License-Identifier: Apache-2.0
// Devices and versions.
#include "simulator/runtime/device_description.h"
#include "simulator/runtime/process.h"

#include <cstdio>
#include <cstring>

namespace gpucert::simulator {
namespace {

// The driver of the fault driver-too-old: 535, whose CUDA is 12.2.
constexpr int old_driver_version = 12020;

bool is_device(const process_state &process, int device) {
  return device >= 0 && static_cast<std::size_t>(device) < process.devices.size();
}

/// A call about a device, which needs a driver and no context.
template <class Call> cudaError_t call_about(int device, Call call) {
  return call_runtime([&](process_state &process) -> cudaError_t {
    if (const cudaError_t error = process.driver_status(); error != cudaSuccess)
      return error;
    return is_device(process, device) ? call(process) : cudaErrorInvalidDevice;
  });
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  return call_runtime([&](process_state &process) -> cudaError_t {
    if (const cudaError_t error = process.driver_status(); error != cudaSuccess)
      return error;
    *count = static_cast<int>(process.devices.size());
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call_about(device, [&](process_state &process) {
    current_device() = device;
    return process.open_context(device); // since CUDA 12
  });
}

cudaError_t cudaGetDevice(int *device) {
  return call_about(current_device(), [&](process_state &) {
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call_about(device, [&](process_state &process) { return process.open_context(device); });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return call_about(device, [&](process_state &process) {
    *properties = properties_of(process.what, device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  return call_about(device, [&](process_state &process) {
    const auto known = attribute_of(process.what, device, attribute);
    *value = known.value_or(0);
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
  return call_about(device, [&](process_state &process) {
    std::snprintf(text, static_cast<std::size_t>(length), "%s", process.what.pci_address(device).c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  return call_runtime([&](process_state &process) -> cudaError_t {
    if (const cudaError_t error = process.driver_status(); error != cudaSuccess)
      return error;
    for (int each = 0; is_device(process, each); ++each)
      if (process.what.pci_address(each) == text) {
        *device = each;
        return cudaSuccess;
      }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer) {
  return call_about(device, [&](process_state &process) {
    *can_access = is_device(process, peer) && device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return call_about(peer, [](process_state &) { return cudaSuccess; });
}

cudaError_t cudaSetDeviceFlags(unsigned) {
  return call_runtime([](process_state &) { return cudaSuccess; });
}

cudaError_t cudaDeviceSynchronize() {
  return call_device([](process_state &process) { return process.wait_for(process.current()); });
}

cudaError_t cudaDeviceReset() {
  return call_runtime([](process_state &process) -> cudaError_t {
    if (process.devices.empty())
      return process.driver_status();
    simulated_device &device = process.current();
    process.wait_for(device);
    device.sticky_error = cudaSuccess;
    device.has_context = false;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
  return call_runtime([&](process_state &process) {
    const bool is_old = process.what.faults.has(fault_name::driver_too_old);
    *version = is_old ? old_driver_version : process.what.gpu.cuda_driver_version;
    return cudaSuccess;
  });
}

} // extern "C"
