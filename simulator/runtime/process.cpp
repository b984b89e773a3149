// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/process.h"

#include "simulator/runtime/driver_library.h"

#include <unistd.h>

namespace gpucert::simulator {

process_state &process_state::instance() {
  static auto *state = new process_state; // never destroyed: programs free device memory in their own destructors
  return *state;
}

process_state::process_state() : what(simulation_of_process()), costs(what) {}

int &current_device() {
  thread_local int device = 0;
  return device;
}

cudaError_t &last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

bool is_sticky(cudaError_t code) {
  return code == cudaErrorIllegalAddress || code == cudaErrorLaunchTimeout || code == cudaErrorECCUncorrectable ||
         (code >= cudaErrorAssert && code <= cudaErrorLaunchFailure);
}

cudaError_t process_state::driver_status() {
  const fault_list &faults = what.faults;
  if (faults.has(fault_name::driver_too_old))
    return cudaErrorInsufficientDriver;
  if (faults.has(fault_name::no_module))
    return cudaErrorNoDevice;
  if (faults.has(fault_name::module_older))
    return cudaErrorSystemDriverMismatch;
  if (const fault *waiting = faults.find(fault_name::system_not_ready))
    if (system_tries_ < *waiting->number) {
      ++system_tries_;
      if (!count_try_across_processes(*waiting->number))
        return cudaErrorSystemNotReady;
      system_tries_ = static_cast<int>(*waiting->number);
    }
  if (devices.empty()) {
    open_driver_library();
    for (const int device : visible_devices(what.visible_devices())) {
      static_cast<void>(device);
      devices.push_back(std::make_unique<simulated_device>(what.gpu));
      devices.back()->default_stream.device = static_cast<int>(devices.size()) - 1;
    }
  }
  return devices.empty() ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t process_state::open_context(int device) {
  if (const cudaError_t error = driver_status(); error != cudaSuccess)
    return error;
  simulated_device &opened = *devices.at(static_cast<std::size_t>(device));
  if (opened.has_context)
    return cudaSuccess;
  while (what.faults.has(fault_name::context_hang))
    pause();
  host_us += 150e3; // creating a context takes 0.1 to 0.3 s
  opened.has_context = true;
  return cudaSuccess;
}

simulated_device &process_state::current() { return *devices.at(static_cast<std::size_t>(current_device())); }

CUstream_st &process_state::stream_of(cudaStream_t handle) {
  const bool is_default = handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return is_default ? current().default_stream : *handle;
}

std::optional<int> process_state::device_of(const void *address) const {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i]->memory.contains(address))
      return static_cast<int>(i);
  return std::nullopt;
}

bool process_state::is_pinned(const void *address) const {
  const auto *const at = static_cast<const std::byte *>(address);
  auto after = pinned.upper_bound(at);
  if (after == pinned.begin())
    return false;
  --after;
  return at < after->first + after->second;
}

} // namespace gpucert::simulator
