// SPDX-License-Identifier: Apache-2.0
// NVML: functions without a device, and those that identify one.
#include "simulator/nvml/replay.h"

// NOLINTBEGIN(readability-identifier-naming): the names are NVML's
using namespace gpucert::simulator;
using namespace gpucert::nvml_abi;
using handle = gpucert::nvml_abi::device;

#define GPUCERT_NVML_TEXT(name)                                                                                        \
  return_code name(handle gpu, char *buffer, unsigned length) { return replay_text(gpu, #name, buffer, length); }
#define GPUCERT_NVML_NUMBER(name, type)                                                                                \
  return_code name(handle gpu, type *out) { return replay_number(gpu, #name, out); }

extern "C" {

return_code nvmlInit_v2() { return find_answer(nullptr, "nvmlInit_v2").ret; }
return_code nvmlShutdown() { return return_code::success; }
return_code nvmlSystemGetDriverVersion(char *buffer, unsigned length) {
  return replay_text(nullptr, "nvmlSystemGetDriverVersion", buffer, length);
}
return_code nvmlSystemGetNVMLVersion(char *buffer, unsigned length) {
  return replay_text(nullptr, "nvmlSystemGetNVMLVersion", buffer, length);
}
return_code nvmlSystemGetCudaDriverVersion_v2(int *out) {
  return replay_number(nullptr, "nvmlSystemGetCudaDriverVersion_v2", out);
}
return_code nvmlDeviceGetCount_v2(unsigned *out) { return replay_number(nullptr, "nvmlDeviceGetCount_v2", out); }
return_code nvmlDeviceGetHandleByIndex_v2(unsigned index, handle *out) {
  *out = device_at(index);
  return *out ? find_answer(*out, "nvmlDeviceGetHandleByIndex_v2").ret : return_code::invalid_argument;
}

const char *nvmlErrorString(return_code code) {
  switch (code) {
  case return_code::success:
    return "Success";
  case return_code::driver_not_loaded:
    return "Driver Not Loaded";
  case return_code::lib_rm_version_mismatch:
    return "Driver/library version mismatch";
  default:
    return "Unknown Error";
  }
}

GPUCERT_NVML_TEXT(nvmlDeviceGetName)
GPUCERT_NVML_TEXT(nvmlDeviceGetUUID)
GPUCERT_NVML_TEXT(nvmlDeviceGetBoardPartNumber)
GPUCERT_NVML_TEXT(nvmlDeviceGetVbiosVersion)
GPUCERT_NVML_TEXT(nvmlDeviceGetInforomImageVersion)
GPUCERT_NVML_NUMBER(nvmlDeviceGetInforomConfigurationChecksum, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetBrand, brand)
GPUCERT_NVML_NUMBER(nvmlDeviceGetArchitecture, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetMinorNumber, unsigned)

return_code nvmlDeviceValidateInforom(handle gpu) { return find_answer(gpu, "nvmlDeviceValidateInforom").ret; }
return_code nvmlDeviceGetGspFirmwareVersion(handle gpu, char *buffer) {
  return replay_text(gpu, "nvmlDeviceGetGspFirmwareVersion", buffer, gsp_version_length);
}
return_code nvmlDeviceGetGspFirmwareMode(handle gpu, unsigned *is_enabled, unsigned *default_mode) {
  return replay_members(gpu, "nvmlDeviceGetGspFirmwareMode", replay_member{"isEnabled", is_enabled},
                        replay_member{"defaultMode", default_mode});
}
return_code nvmlDeviceGetCudaComputeCapability(handle gpu, int *major, int *minor) {
  return replay_members(gpu, "nvmlDeviceGetCudaComputeCapability", replay_member{"major", major},
                        replay_member{"minor", minor});
}
return_code nvmlDeviceGetPciInfo_v3(handle gpu, pci_info *pci) {
  *pci = {};
  const auto answer = find_answer(gpu, "nvmlDeviceGetPciInfo_v3");
  if (answer.ret != return_code::success)
    return answer.ret;
  answer.content->at("values").at("busId").get<std::string>().copy(pci->bus_id, sizeof pci->bus_id - 1);
  return replay_members(gpu, "nvmlDeviceGetPciInfo_v3", replay_member{"domain", &pci->domain},
                        replay_member{"bus", &pci->bus}, replay_member{"device", &pci->device},
                        replay_member{"pciDeviceId", &pci->pci_device_id},
                        replay_member{"pciSubSystemId", &pci->pci_sub_system_id});
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
