// SPDX-License-Identifier: Apache-2.0
// The CUDA device of this process.
#include "harness/device.h"

#include "harness/loaded_libraries.h"
#include "harness/program_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cuda_runtime_api.h>

namespace gpucert {
namespace {

std::string in_words(int cuda_version) { return fmt::format("{}.{}", cuda_version / 1000, cuda_version % 1000 / 10); }

/// What error 35 means depends on the driver: without libcuda the runtime says the same as with an old one.
std::string explain_insufficient_driver() {
  const auto driver = read_cuda_driver_version();
  if (!driver)
    return "; no libcuda.so.1 could be loaded: is the driver's user-space part installed?";
  if (is_driver_too_old(driver))
    return fmt::format("; the driver is for CUDA {}, this build needs {} or later", in_words(*driver),
                       in_words(CUDART_VERSION / 1000 * 1000));
  return fmt::format("; the driver is for CUDA {}, which should do", in_words(*driver));
}

std::optional<cuda_failure> failure_of(cudaError_t code, const char *call) {
  if (code == cudaSuccess)
    return std::nullopt;
  cudaGetLastError(); // reported here; it must not be found again by a later call
  return cuda_failure{code, fmt::format("{}: {} ({}, {}){}", call, cudaGetErrorName(code), int{code},
                                        cudaGetErrorString(code),
                                        code == cudaErrorInsufficientDriver ? explain_insufficient_driver() : "")};
}

/// The architectures of CMAKE_CUDA_ARCHITECTURES that have native code: "75-real,80,90a-real,120-virtual" -> 75 80 90.
std::vector<int> native_architectures(std::string_view list) {
  std::vector<int> architectures;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    int number = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), number);
    if (error == std::errc{} && !one.ends_with("-virtual"))
      architectures.push_back(number);
  }
  return architectures;
}

} // namespace

std::optional<int> read_cuda_driver_version() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) // 0: libcuda could not be loaded
    return std::nullopt;
  return version;
}

std::optional<int> read_cuda_runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? std::optional(version) : std::nullopt;
}

bool is_driver_too_old(std::optional<int> driver_version) {
  return driver_version && *driver_version / 1000 < CUDART_VERSION / 1000;
}

std::optional<cuda_failure> read_device_count(int &count) {
  return failure_of(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
}

std::optional<cuda_failure> open_device(int index) {
  if (auto failure = failure_of(cudaSetDevice(index), "cudaSetDevice"))
    return failure;
  return failure_of(cudaFree(nullptr),
                    "cudaFree(nullptr), which creates the context"); // up to CUDA 11 the first to do so
}

std::optional<device_identity> read_device_identity(int index) {
  cudaDeviceProp properties{};
  char bus_id[32] = "";
  if (cudaGetDeviceProperties(&properties, index) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, index) != cudaSuccess)
    return std::nullopt;
  device_identity device;
  device.index = index;
  device.name = properties.name;
  device.pci_bus_id = bus_id;
  std::transform(device.pci_bus_id.begin(), device.pci_bus_id.end(), device.pci_bus_id.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; }); // as sysfs has it
  device.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  device.memory_bytes = static_cast<double>(properties.totalGlobalMem);
  device.l2_bytes = properties.l2CacheSize;
  device.multiprocessors = properties.multiProcessorCount;
  return device;
}

run_event read_run_event(std::string_view program, const run_settings &settings,
                         const std::optional<device_identity> &device) {
  run_event event;
  event.program = program;
  event.suite_version = GPUCERT_SUITE_VERSION;
  event.scale = name_of(settings.scale);
  event.seed = std::to_string(settings.seed);
  event.device = device;
  event.cuda_driver_version = read_cuda_driver_version();
  event.cuda_runtime_version = read_cuda_runtime_version();
  event.architectures = native_architectures(GPUCERT_CUDA_ARCHITECTURES);
  event.libraries = read_loaded_libraries();
  event.is_simulated = std::any_of(event.libraries.begin(), event.libraries.end(),
                                   [](const loaded_library &library) { return library.is_simulator; });
  return event;
}

std::optional<leftover_error> take_leftover_error() {
  cudaError_t code = cudaGetLastError();
  if (code == cudaSuccess)
    code = cudaDeviceSynchronize(); // of a kernel that nobody has waited for
  const auto failure = failure_of(code, "left behind without being reported");
  if (!failure)
    return std::nullopt;
  const bool is_sticky = cudaDeviceSynchronize() != cudaSuccess; // the driver repeats those that ended the context
  return leftover_error{*failure, is_sticky};
}

} // namespace gpucert
