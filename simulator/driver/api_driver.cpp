// SPDX-License-Identifier: Apache-2.0
// libcuda.so.1 of the simulated node: versions, devices, the primary context. The simulated CUDA runtime works without
// it and maps it only to be seen.
#include "simulator/simulation.h"

#include <cstdio>
#include <cuda.h>
#include <unistd.h>

using namespace gpucert::simulator;

namespace {

CUresult driver_status() {
  const fault_list &faults = simulation_of_process().faults;
  if (faults.has(fault_name::no_module))
    return CUDA_ERROR_NO_DEVICE;
  if (faults.has(fault_name::module_older))
    return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  return CUDA_SUCCESS;
}

bool is_device(int device) { return device >= 0 && device < simulation_of_process().visible_devices(); }

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {

CUresult cuInit(unsigned) { return driver_status(); }

CUresult cuDriverGetVersion(int *version) {
  const simulation &what = simulation_of_process();
  *version = what.faults.has(fault_name::driver_too_old) ? 12020 : what.gpu.cuda_driver_version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = simulation_of_process().visible_devices();
  return driver_status();
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return is_device(ordinal) ? driver_status() : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (!is_device(device))
    return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(length), "%s", simulation_of_process().gpu.name.c_str());
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (!is_device(device))
    return CUDA_ERROR_INVALID_DEVICE;
  while (simulation_of_process().faults.has(fault_name::context_hang))
    pause();
  static char contexts[16]; // one address a device
  *context = reinterpret_cast<CUcontext>(&contexts[device]);
  return driver_status();
}

#undef cuDevicePrimaryCtxRelease
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR";
  return CUDA_SUCCESS;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
