// SPDX-License-Identifier: Apache-2.0
// A small libnvidia-ml.so.1, compiled once for each scenario:
//   healthy   two GPUs of different make, the second with faults of its own
//   refusing  nvmlInit returns GPUCERT_FAKE_INIT_RET, the library states its version all the same
//   old       a library of before the versioned names
#include "node/nvml/abi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#define GPUCERT_EXPORT extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(readability-identifier-naming): the names are NVML's
namespace gpucert::nvml_abi {
struct device_record {
  const char *name;
  unsigned index;
};
} // namespace gpucert::nvml_abi

namespace {

using namespace gpucert::nvml_abi;

[[maybe_unused]] return_code put_text(const char *text, char *buffer, unsigned length) {
  if (std::strlen(text) >= length)
    return return_code::insufficient_size;
  std::strcpy(buffer, text);
  return return_code::success;
}

template <class Number, class Value> [[maybe_unused]] return_code put(Number *out, Value value) {
  *out = static_cast<Number>(value);
  return return_code::success;
}

[[maybe_unused]] device_record gpus[] = {{"NVIDIA H200", 0}, {"Tesla T4 \xff", 1}}; // the last byte is no UTF-8

} // namespace

#if defined(GPUCERT_FAKE_REFUSING)

GPUCERT_EXPORT return_code nvmlInit_v2() { return static_cast<return_code>(GPUCERT_FAKE_INIT_RET); }
GPUCERT_EXPORT return_code nvmlSystemGetNVMLVersion(char *buffer, unsigned length) {
  return put_text("12.550.54.15", buffer, length);
}
GPUCERT_EXPORT return_code nvmlSystemGetDriverVersion(char *, unsigned) { return return_code::uninitialized; }
GPUCERT_EXPORT return_code nvmlDeviceGetCount_v2(unsigned *) { return return_code::uninitialized; }

#elif defined(GPUCERT_FAKE_OLD)

struct pci_info_v2 { // before v3: a short id, and four reserved numbers behind it
  char bus_id[16];
  unsigned domain, bus, device, pci_device_id, pci_sub_system_id, reserved[4];
};

GPUCERT_EXPORT return_code nvmlInit() { return return_code::success; }
GPUCERT_EXPORT return_code nvmlShutdown() { return return_code::success; }
GPUCERT_EXPORT return_code nvmlSystemGetDriverVersion(char *buffer, unsigned length) {
  return put_text("418.226.00", buffer, length);
}
GPUCERT_EXPORT return_code nvmlSystemGetCudaDriverVersion(int *version) { return put(version, 10010); }
GPUCERT_EXPORT return_code nvmlDeviceGetCount(unsigned *count) { return put(count, 1); }
GPUCERT_EXPORT return_code nvmlDeviceGetHandleByIndex(unsigned index, device *handle) {
  *handle = &gpus[index];
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetPciInfo(device, pci_info *pci) {
  const pci_info_v2 known{"0000:3B:00.0", 0, 0x3b, 0, 0x1eb810de, 0x12a210de, {}};
  std::memcpy(pci, &known, sizeof known);
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetCurrentClocksThrottleReasons(device, unsigned long long *mask) {
  return put(mask, 0x4);
}

#elif defined(GPUCERT_FAKE_EMPTY)
// A file that the loader takes, with nothing in it: a stub of a container image.
#else // healthy

GPUCERT_EXPORT return_code nvmlInit_v2() { return return_code::success; }
GPUCERT_EXPORT return_code nvmlShutdown() { return return_code::success; }
GPUCERT_EXPORT return_code nvmlSystemGetDriverVersion(char *buffer, unsigned length) {
  return put_text("580.95.05", buffer, length);
}
GPUCERT_EXPORT return_code nvmlSystemGetNVMLVersion(char *buffer, unsigned length) {
  return put_text("13.580.95.05", buffer, length);
}
GPUCERT_EXPORT return_code nvmlSystemGetCudaDriverVersion_v2(int *version) { return put(version, 13000); }
GPUCERT_EXPORT return_code nvmlDeviceGetCount_v2(unsigned *count) { return put(count, 2); }
GPUCERT_EXPORT return_code nvmlDeviceGetHandleByIndex_v2(unsigned index, device *handle) {
  *handle = &gpus[index];
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetName(device gpu, char *buffer, unsigned length) {
  return put_text(gpu->name, buffer, length);
}
GPUCERT_EXPORT return_code nvmlDeviceGetUUID(device, char *buffer, unsigned length) {
  return put_text("GPU-8f9c1c3e-5b1d-4a53-9d3a-3f6f6f1f2a77", buffer, length);
}
GPUCERT_EXPORT return_code nvmlDeviceGetSerial(device, char *buffer, unsigned length) {
  return put_text("1650924012345", buffer, length);
}
GPUCERT_EXPORT return_code nvmlDeviceGetPciInfo_v3(device gpu, pci_info *pci) {
  *pci = {};
  pci->bus = 0x3b + gpu->index;
  std::snprintf(pci->bus_id, sizeof pci->bus_id, "00000000:%02X:00.0", pci->bus);
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetCudaComputeCapability(device gpu, int *major, int *minor) {
  *major = gpu->index == 0 ? 9 : 7;
  *minor = gpu->index == 0 ? 0 : 5;
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetMemoryInfo_v2(device, memory_v2 *memory) {
  if (memory->version != memory_v2_tag)
    return return_code::argument_version_mismatch;
  *memory = {memory->version, 150754820096, 640000000, 150000000000, 114820096};
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetCurrPcieLinkWidth(device gpu, unsigned *width) {
  return put(width, gpu->index == 0 ? 16 : 8);
}
GPUCERT_EXPORT return_code nvmlDeviceValidateInforom(device gpu) {
  return gpu->index == 0 ? return_code::success : static_cast<return_code>(14);
}
GPUCERT_EXPORT return_code nvmlDeviceGetTotalEccErrors(device, memory_error error, ecc_counter counter,
                                                       unsigned long long *count) {
  return put(count, 10 * static_cast<unsigned>(error) + static_cast<unsigned>(counter));
}
GPUCERT_EXPORT return_code nvmlDeviceGetRemappedRows(device gpu, unsigned *corrected, unsigned *uncorrected,
                                                     unsigned *pending, unsigned *failure) {
  if (gpu->index == 1)
    return return_code::not_supported;
  *corrected = 1;
  *uncorrected = 4;
  *pending = 1;
  *failure = 0;
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetNvLinkState(device gpu, unsigned link, enable_state *active) {
  if (gpu->index == 1)
    return return_code::not_supported;
  return put(active, link < 17 ? 1 : 0);
}
GPUCERT_EXPORT return_code nvmlDeviceGetGpuFabricInfoV(device, fabric_info_v3 *info) {
  if (info->version != fabric_info_v2_tag) // a library that does not know v3 yet
    return return_code::argument_version_mismatch;
  fabric_info_v2 known{info->version, {}, return_code::success, 7, 3, 0x155};
  std::memcpy(info, &known, sizeof known);
  return return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetComputeRunningProcesses_v3(device gpu, unsigned *count,
                                                                   process_info *processes) {
  const unsigned running = gpu->index == 0 ? 100 : 0; // more than a first guess holds
  const unsigned room = std::exchange(*count, running);
  for (unsigned i = 0; i < std::min(room, running); ++i)
    processes[i] = {4000 + i, 0, 0xffffffff, 0xffffffff};
  return room < running ? return_code::insufficient_size : return_code::success;
}
GPUCERT_EXPORT return_code nvmlDeviceGetFieldValues(device gpu, int, field_value *value) {
  switch (value->field_id) {
  case 230: // NVML_FI_DEV_GET_GPU_RECOVERY_ACTION
    value->type = value_type::unsigned_int;
    value->number.unsigned_int = gpu->index == 0 ? 0 : 2;
    value->ret = return_code::success;
    return return_code::success;
  case 193: // NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT, degrees below the limit
    value->type = value_type::signed_int;
    value->number.signed_int = -8;
    value->ret = return_code::success;
    return return_code::success;
  case 226: // a library that refuses the whole call over a field
    return return_code::invalid_argument;
  default:
    value->ret = return_code::not_supported;
    return return_code::success;
  }
}

#endif
// NOLINTEND(readability-identifier-naming)
