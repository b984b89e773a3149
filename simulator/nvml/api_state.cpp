// SPDX-License-Identifier: Apache-2.0
// NVML: links, clocks, temperature, power, modes and processes.
#include "simulator/nvml/replay.h"

// NOLINTBEGIN(readability-identifier-naming): the names are NVML's
using namespace gpucert::simulator;
using namespace gpucert::nvml_abi;
using handle = gpucert::nvml_abi::device;

#define GPUCERT_NVML_NUMBER(name, type)                                                                                \
  return_code name(handle gpu, type *out) { return replay_number(gpu, #name, out); }
#define GPUCERT_NVML_BY_ARGUMENT(name, key, type)                                                                      \
  return_code name(handle gpu, unsigned key, type *out) { return replay_number(gpu, #name, out, {{#key, key}}); }

extern "C" {

GPUCERT_NVML_NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetCurrPcieLinkWidth, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetMaxPcieLinkWidth, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetGpuMaxPcieLinkGeneration, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetPcieReplayCounter, unsigned)
GPUCERT_NVML_BY_ARGUMENT(nvmlDeviceGetNvLinkState, link, enable_state)

GPUCERT_NVML_BY_ARGUMENT(nvmlDeviceGetClockInfo, type, unsigned)
GPUCERT_NVML_BY_ARGUMENT(nvmlDeviceGetMaxClockInfo, type, unsigned)
GPUCERT_NVML_BY_ARGUMENT(nvmlDeviceGetTemperature, sensorType, unsigned)
GPUCERT_NVML_BY_ARGUMENT(nvmlDeviceGetTemperatureThreshold, thresholdType, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetCurrentClocksEventReasons, unsigned long long)
GPUCERT_NVML_NUMBER(nvmlDeviceGetSupportedClocksEventReasons, unsigned long long)
GPUCERT_NVML_NUMBER(nvmlDeviceGetPerformanceState, performance_state)
GPUCERT_NVML_NUMBER(nvmlDeviceGetPowerUsage, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetPowerManagementLimit, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, unsigned)
GPUCERT_NVML_NUMBER(nvmlDeviceGetEnforcedPowerLimit, unsigned)
return_code nvmlDeviceGetPowerManagementLimitConstraints(handle gpu, unsigned *least, unsigned *most) {
  return replay_members(gpu, "nvmlDeviceGetPowerManagementLimitConstraints", replay_member{"minLimit", least},
                        replay_member{"maxLimit", most});
}
return_code nvmlDeviceGetUtilizationRates(handle gpu, utilization *rates) {
  return replay_members(gpu, "nvmlDeviceGetUtilizationRates", replay_member{"gpu", &rates->gpu},
                        replay_member{"memory", &rates->memory});
}

GPUCERT_NVML_NUMBER(nvmlDeviceGetPersistenceMode, enable_state)
GPUCERT_NVML_NUMBER(nvmlDeviceGetComputeMode, compute_mode)
GPUCERT_NVML_NUMBER(nvmlDeviceGetAccountingMode, enable_state)
GPUCERT_NVML_NUMBER(nvmlDeviceGetMaxMigDeviceCount, unsigned)
return_code nvmlDeviceGetMigMode(handle gpu, unsigned *current, unsigned *pending) {
  return replay_members(gpu, "nvmlDeviceGetMigMode", replay_member{"currentMode", current},
                        replay_member{"pendingMode", pending});
}
// A simulated node has no other processes: the count is all of the answer.
return_code nvmlDeviceGetComputeRunningProcesses_v3(handle gpu, unsigned *count, process_info *) {
  return replay_number(gpu, "nvmlDeviceGetComputeRunningProcesses_v3", count);
}
return_code nvmlDeviceGetGraphicsRunningProcesses_v3(handle gpu, unsigned *count, process_info *) {
  return replay_number(gpu, "nvmlDeviceGetGraphicsRunningProcesses_v3", count);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
