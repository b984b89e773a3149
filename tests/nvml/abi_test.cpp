// SPDX-License-Identifier: Apache-2.0
// Compares the functions of node/nvml/abi.h with the real nvml.h; abi_layout_test.cpp compares numbers and structures.
// Where no nvml.h is installed one skipped test says so.
//
// A header that is older than something in abi.h lacks the macro that came with it; what depends on the macro is then
// passed over.
#include "node/nvml/abi.h"
#include "node/nvml/older_names.h"

#include <gtest/gtest.h>

#ifdef GPUCERT_HAVE_NVML_H
#include <fstream>
#include <iterator>
#include <map>
#include <nvml.h>
#include <set>
#include <string>
#include <type_traits>

namespace gpucert {
namespace {

namespace abi = nvml_abi;

/// A type as the calling convention sees it, so that nvmlDevice_t and device, enumerations of either, look the same.
template <class Type> std::string shape() {
  using bare = std::remove_cv_t<Type>;
  if constexpr (std::is_pointer_v<bare>)
    return shape<std::remove_pointer_t<bare>>() + '*';
  else if constexpr (std::is_enum_v<bare>)
    return shape<std::underlying_type_t<bare>>();
  else if constexpr (std::is_same_v<bare, char>)
    return "char";
  else if constexpr (std::is_integral_v<bare>)
    return (std::is_signed_v<bare> ? "int" : "uint") + std::to_string(8 * sizeof(bare));
  else if constexpr (requires { sizeof(bare); })
    return "structure of " + std::to_string(sizeof(bare));
  else
    return "opaque";
}

template <class Signature> struct signature;
template <class Result, class... Parameters> struct signature<Result(Parameters...)> {
  static std::string shape() {
    std::string text = gpucert::shape<Result>() + '(';
    ((text += gpucert::shape<Parameters>() + ' '), ...);
    return text + ')';
  }
};

template <class Signature> std::string shape_of(abi::function<Signature>) { return signature<Signature>::shape(); }

/// Every name that was compared, with its shape in nvml.h; empty where this nvml.h does not have it.
using compared_names = std::map<std::string, std::string>;

#define GPUCERT_SAME_FUNCTION(real, ours)                                                                              \
  EXPECT_STREQ(ours.name, #real);                                                                                      \
  EXPECT_EQ(shape_of(ours), signature<decltype(::real)>::shape()) << #real;                                            \
  compared.emplace(#real, signature<decltype(::real)>::shape())
#define GPUCERT_OLDER_NAME(real) compared.emplace(#real, signature<decltype(::real)>::shape())
#define GPUCERT_NOT_IN_HEADER(ours) compared.emplace(ours.name, "")

void compare_system_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlInit_v2, abi::init);
  GPUCERT_OLDER_NAME(nvmlInit);
  GPUCERT_SAME_FUNCTION(nvmlShutdown, abi::shutdown);
  GPUCERT_SAME_FUNCTION(nvmlSystemGetDriverVersion, abi::system_driver_version);
  GPUCERT_SAME_FUNCTION(nvmlSystemGetNVMLVersion, abi::system_nvml_version);
  GPUCERT_SAME_FUNCTION(nvmlSystemGetCudaDriverVersion_v2, abi::system_cuda_driver_version);
  GPUCERT_OLDER_NAME(nvmlSystemGetCudaDriverVersion);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetCount_v2, abi::device_count);
  GPUCERT_OLDER_NAME(nvmlDeviceGetCount);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetHandleByIndex_v2, abi::device_handle_by_index);
  GPUCERT_OLDER_NAME(nvmlDeviceGetHandleByIndex);
#ifdef NVML_CC_ACCEPTING_CLIENT_REQUESTS_TRUE
  GPUCERT_SAME_FUNCTION(nvmlSystemGetConfComputeState, abi::system_conf_compute_state);
  GPUCERT_SAME_FUNCTION(nvmlSystemGetConfComputeGpusReadyState, abi::system_conf_compute_ready);
#else
  GPUCERT_NOT_IN_HEADER(abi::system_conf_compute_state);
  GPUCERT_NOT_IN_HEADER(abi::system_conf_compute_ready);
#endif
}

void compare_identity_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetName, abi::device_name);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetUUID, abi::device_uuid);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetBoardPartNumber, abi::device_board_part_number);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetVbiosVersion, abi::device_vbios_version);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetInforomImageVersion, abi::device_inforom_image_version);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetInforomConfigurationChecksum, abi::device_inforom_checksum);
  GPUCERT_SAME_FUNCTION(nvmlDeviceValidateInforom, abi::device_validate_inforom);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetBrand, abi::device_brand);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetArchitecture, abi::device_architecture);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMinorNumber, abi::device_minor_number);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetCudaComputeCapability, abi::device_compute_capability);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPciInfo_v3, abi::device_pci_info);
  GPUCERT_OLDER_NAME(nvmlDeviceGetPciInfo_v2);
  GPUCERT_OLDER_NAME(nvmlDeviceGetPciInfo);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGspFirmwareVersion, abi::device_gsp_version);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGspFirmwareMode, abi::device_gsp_mode);
}

void compare_memory_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMemoryInfo, abi::device_memory);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMemoryInfo_v2, abi::device_memory_v2);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetBAR1MemoryInfo, abi::device_bar1_memory);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetEccMode, abi::device_ecc_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetDefaultEccMode, abi::device_default_ecc_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetTotalEccErrors, abi::device_total_ecc_errors);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMemoryErrorCounter, abi::device_memory_error_counter);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetRemappedRows, abi::device_remapped_rows);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetRowRemapperHistogram, abi::device_row_remapper_histogram);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetRetiredPages_v2, abi::device_retired_pages);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetRetiredPagesPendingStatus, abi::device_retired_pages_pending);
#ifdef nvmlEccSramErrorStatus_v1
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetSramEccErrorStatus, abi::device_sram_ecc_status);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_sram_ecc_status);
#endif
}

void compare_link_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetCurrPcieLinkGeneration, abi::device_curr_pcie_generation);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetCurrPcieLinkWidth, abi::device_curr_pcie_width);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMaxPcieLinkGeneration, abi::device_max_pcie_generation);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMaxPcieLinkWidth, abi::device_max_pcie_width);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPcieReplayCounter, abi::device_pcie_replay_counter);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetNvLinkState, abi::device_nvlink_state);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetNvLinkVersion, abi::device_nvlink_version);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetNvLinkErrorCounter, abi::device_nvlink_error_counter);
#if NVML_API_VERSION >= 12
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGpuMaxPcieLinkGeneration, abi::device_gpu_max_pcie_generation);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_gpu_max_pcie_generation);
#endif
#ifdef NVML_GPU_FABRIC_STATE_COMPLETED
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGpuFabricInfo, abi::device_fabric_info);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_fabric_info);
#endif
#ifdef nvmlGpuFabricInfo_v3
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGpuFabricInfoV, abi::device_fabric_info_v);
#else // earlier headers declare it with v2
  GPUCERT_NOT_IN_HEADER(abi::device_fabric_info_v);
#endif
}

void compare_clock_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetClockInfo, abi::device_clock);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMaxClockInfo, abi::device_max_clock);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetApplicationsClock, abi::device_applications_clock);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetDefaultApplicationsClock, abi::device_default_applications_clock);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetAutoBoostedClocksEnabled, abi::device_auto_boost);
  GPUCERT_OLDER_NAME(nvmlDeviceGetCurrentClocksThrottleReasons);
  GPUCERT_OLDER_NAME(nvmlDeviceGetSupportedClocksThrottleReasons);
#ifdef nvmlClocksEventReasonGpuIdle
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetCurrentClocksEventReasons, abi::device_event_reasons);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetSupportedClocksEventReasons, abi::device_supported_event_reasons);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_event_reasons);
  GPUCERT_NOT_IN_HEADER(abi::device_supported_event_reasons);
#endif
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPerformanceState, abi::device_performance_state);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetUtilizationRates, abi::device_utilization);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetTemperature, abi::device_temperature);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetTemperatureThreshold, abi::device_temperature_threshold);
#ifdef nvmlTemperature_v1
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetTemperatureV, abi::device_temperature_v);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_temperature_v);
#endif
#ifdef nvmlMarginTemperature_v1
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMarginTemperature, abi::device_margin_temperature);
#else
  GPUCERT_NOT_IN_HEADER(abi::device_margin_temperature);
#endif
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPowerUsage, abi::device_power_usage);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPowerManagementLimit, abi::device_power_limit);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPowerManagementDefaultLimit, abi::device_default_power_limit);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetEnforcedPowerLimit, abi::device_enforced_power_limit);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPowerManagementLimitConstraints, abi::device_power_limit_constraints);
}

void compare_mode_functions(compared_names &compared) {
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetPersistenceMode, abi::device_persistence_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetComputeMode, abi::device_compute_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetAccountingMode, abi::device_accounting_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMigMode, abi::device_mig_mode);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetMaxMigDeviceCount, abi::device_max_mig_count);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3, abi::device_compute_processes);
  GPUCERT_OLDER_NAME(nvmlDeviceGetComputeRunningProcesses_v2);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetGraphicsRunningProcesses_v3, abi::device_graphics_processes);
  GPUCERT_OLDER_NAME(nvmlDeviceGetGraphicsRunningProcesses_v2);
  GPUCERT_SAME_FUNCTION(nvmlDeviceGetFieldValues, abi::device_field_values);
}

compared_names compare_functions() {
  compared_names compared;
  compare_system_functions(compared);
  compare_identity_functions(compared);
  compare_memory_functions(compared);
  compare_link_functions(compared);
  compare_clock_functions(compared);
  compare_mode_functions(compared);
  return compared;
}

TEST(nvml_abi, functions_take_what_nvml_h_says) { compare_functions(); }

TEST(nvml_abi, older_names_have_the_signature_of_the_newest) {
  const compared_names compared = compare_functions();
  for (const nvml_name_family &family : nvml_name_families) {
    std::set<std::string> shapes;
    for (const char *name : family.all()) {
      ASSERT_TRUE(compared.contains(name)) << name << " is not compared";
      if (!compared.at(name).empty())
        shapes.insert(compared.at(name));
    }
    EXPECT_EQ(shapes.size(), 1U) << family.names.front();
  }
}

TEST(nvml_abi, no_function_of_abi_h_is_left_out_here) {
  std::ifstream file(GPUCERT_NVML_ABI_H);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const compared_names compared = compare_functions();
  int found = 0;
  for (auto at = text.find("\"nvml"); at != text.npos; at = text.find("\"nvml", at + 1), ++found) {
    const std::string name = text.substr(at + 1, text.find('"', at + 1) - at - 1);
    EXPECT_TRUE(compared.contains(name)) << name;
  }
  EXPECT_GT(found, 60);
}

} // namespace
} // namespace gpucert

#else

TEST(nvml_abi, is_compared_with_nvml_h) {
  GTEST_SKIP() << "no nvml.h was found when this was configured; -DGPUCERT_NVML_INCLUDE=FOLDER names one";
}

#endif
