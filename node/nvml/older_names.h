// SPDX-License-Identifier: Apache-2.0
// Names under which older NVML libraries export the same function. Data only: the reader of nvml.json uses it too.
//
// A family lists its names newest first. They share one signature (tests/nvml/abi_test.cpp), so whichever is found may
// be called. Where a newer version changed a structure, the two are different functions and stand apart.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace gpucert {

struct nvml_name_family {
  std::array<const char *, 3> names{}; // null where the family has fewer

  std::span<const char *const> all() const {
    std::size_t count = 0;
    while (count < names.size() && names[count])
      ++count;
    return {names.data(), count};
  }
};

inline constexpr std::array nvml_name_families{
    nvml_name_family{{"nvmlInit_v2", "nvmlInit"}},
    nvml_name_family{{"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"}},
    nvml_name_family{{"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}},
    nvml_name_family{{"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}},
    nvml_name_family{{"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"}},
    nvml_name_family{{"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}},
    nvml_name_family{{"nvmlDeviceGetSupportedClocksEventReasons", "nvmlDeviceGetSupportedClocksThrottleReasons"}},
    nvml_name_family{{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}},
    nvml_name_family{{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"}},
};

/// The family that `newest` heads, or null: most functions have had one name only.
constexpr const nvml_name_family *find_nvml_name_family(std::string_view newest) {
  for (const nvml_name_family &family : nvml_name_families)
    if (newest == family.names.front())
      return &family;
  return nullptr;
}

} // namespace gpucert
