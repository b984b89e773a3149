// SPDX-License-Identifier: Apache-2.0
// gpu_states_of: from the answers of NVML.
#include "node/gpu_state.h"

#include <fmt/format.h>

#include <utility>

namespace gpucert {
namespace {

enum class kind { value, member, field, ret };

/// Where NVML states a quantity. Of several rows for one quantity the first that has an answer counts.
struct nvml_place {
  gpu_quantity quantity;
  kind how;
  std::string_view name; // of the function or the field
  std::string_view member = {};
  nvml_arguments arguments = {};
};

constexpr int ret_not_recorded = 13;
constexpr int ret_corrupted_inforom = 14;

const std::vector<nvml_place> &places() {
  using enum gpu_quantity;
  const nvml_arguments corrected{{"errorType", 0}, {"counterType", 0}},
      uncorrected{{"errorType", 1}, {"counterType", 0}};
  static const std::vector<nvml_place> all{
      {recovery_action, kind::field, "NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"},
      {inforom_return, kind::ret, "nvmlDeviceValidateInforom"},
      {ecc_mode, kind::member, "nvmlDeviceGetEccMode", "current"},
      {ecc_mode, kind::field, "NVML_FI_DEV_ECC_CURRENT"},
      {ecc_mode_pending, kind::member, "nvmlDeviceGetEccMode", "pending"},
      {ecc_mode_pending, kind::field, "NVML_FI_DEV_ECC_PENDING"},
      {ecc_mode_default, kind::value, "nvmlDeviceGetDefaultEccMode"},
      {corrected_since_load, kind::value, "nvmlDeviceGetTotalEccErrors", {}, corrected},
      {uncorrected_since_load, kind::value, "nvmlDeviceGetTotalEccErrors", {}, uncorrected},
      {sram_threshold_exceeded, kind::member, "nvmlDeviceGetSramEccErrorStatus", "bThresholdExceeded"},
      {rows_remapped_corrected, kind::member, "nvmlDeviceGetRemappedRows", "corrRows"},
      {rows_remapped_corrected, kind::field, "NVML_FI_DEV_REMAPPED_COR"},
      {rows_remapped_uncorrected, kind::member, "nvmlDeviceGetRemappedRows", "uncRows"},
      {rows_remapped_uncorrected, kind::field, "NVML_FI_DEV_REMAPPED_UNC"},
      {row_remap_pending, kind::member, "nvmlDeviceGetRemappedRows", "isPending"},
      {row_remap_pending, kind::field, "NVML_FI_DEV_REMAPPED_PENDING"},
      {row_remap_failed, kind::member, "nvmlDeviceGetRemappedRows", "failureOccurred"},
      {row_remap_failed, kind::field, "NVML_FI_DEV_REMAPPED_FAILURE"},
      {banks_low, kind::member, "nvmlDeviceGetRowRemapperHistogram", "low"},
      {banks_none, kind::member, "nvmlDeviceGetRowRemapperHistogram", "none"},
      {pages_retired_single, kind::value, "nvmlDeviceGetRetiredPages_v2", {}, {{"cause", 0}}},
      {pages_retired_single, kind::field, "NVML_FI_DEV_RETIRED_SBE"},
      {pages_retired_double, kind::value, "nvmlDeviceGetRetiredPages_v2", {}, {{"cause", 1}}},
      {pages_retired_double, kind::field, "NVML_FI_DEV_RETIRED_DBE"},
      {page_retirement_pending, kind::value, "nvmlDeviceGetRetiredPagesPendingStatus"},
      {page_retirement_pending, kind::field, "NVML_FI_DEV_RETIRED_PENDING"},
      {event_reasons, kind::value, "nvmlDeviceGetCurrentClocksEventReasons"},
      {temperature, kind::value, "nvmlDeviceGetTemperature", {}, {{"sensorType", 0}}},
      {temperature, kind::member, "nvmlDeviceGetTemperatureV", "temperature"},
      {temperature_slowdown, kind::value, "nvmlDeviceGetTemperatureThreshold", {}, {{"thresholdType", 1}}},
      {temperature_max, kind::value, "nvmlDeviceGetTemperatureThreshold", {}, {{"thresholdType", 3}}},
      {memory_temperature, kind::field, "NVML_FI_DEV_MEMORY_TEMP"},
      {memory_temperature_max, kind::value, "nvmlDeviceGetTemperatureThreshold", {}, {{"thresholdType", 2}}},
      {utilization, kind::member, "nvmlDeviceGetUtilizationRates", "gpu"},
      {performance_state, kind::value, "nvmlDeviceGetPerformanceState"},
      {pcie_generation, kind::value, "nvmlDeviceGetCurrPcieLinkGeneration"},
      {pcie_generation_max, kind::value, "nvmlDeviceGetMaxPcieLinkGeneration"},
      {pcie_width, kind::value, "nvmlDeviceGetCurrPcieLinkWidth"},
      {pcie_width_max, kind::value, "nvmlDeviceGetMaxPcieLinkWidth"},
      {pcie_replays, kind::value, "nvmlDeviceGetPcieReplayCounter"},
      {pcie_replays, kind::field, "NVML_FI_DEV_PCIE_REPLAY_COUNTER"},
      {pcie_replay_rollovers, kind::field, "NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER"},
      {pcie_nonfatal_errors, kind::field, "NVML_FI_DEV_PCIE_COUNT_NON_FATAL_ERROR"},
      {pcie_fatal_errors, kind::field, "NVML_FI_DEV_PCIE_COUNT_FATAL_ERROR"},
      {power_limit_enforced, kind::value, "nvmlDeviceGetEnforcedPowerLimit"},
      {power_limit_enforced, kind::value, "nvmlDeviceGetPowerManagementLimit"},
      {power_limit_default, kind::value, "nvmlDeviceGetPowerManagementDefaultLimit"},
      {application_clock, kind::value, "nvmlDeviceGetApplicationsClock", {}, {{"clockType", 0}}},
      {application_clock_default, kind::value, "nvmlDeviceGetDefaultApplicationsClock", {}, {{"clockType", 0}}},
      {persistence_mode, kind::value, "nvmlDeviceGetPersistenceMode"},
      {mig_mode, kind::member, "nvmlDeviceGetMigMode", "currentMode"},
      {mig_mode_pending, kind::member, "nvmlDeviceGetMigMode", "pendingMode"},
      {nvlinks_to_switch, kind::field, "NVML_FI_DEV_NVSWITCH_CONNECTED_LINK_COUNT"},
      {fabric_state, kind::member, "nvmlDeviceGetGpuFabricInfoV", "state"},
      {fabric_state, kind::member, "nvmlDeviceGetGpuFabricInfo", "state"},
      {fabric_status, kind::member, "nvmlDeviceGetGpuFabricInfoV", "status"},
      {fabric_status, kind::member, "nvmlDeviceGetGpuFabricInfo", "status"},
      {fabric_health_mask, kind::member, "nvmlDeviceGetGpuFabricInfoV", "healthMask"},
      {fabric_health_summary, kind::member, "nvmlDeviceGetGpuFabricInfoV", "healthSummary"},
  };
  return all;
}

std::vector<long long> readings_of(const nvml_answers &answers, const nvml_place &place) {
  std::vector<long long> readings;
  for (std::size_t reading = 0; reading < answers.readings(place.name, place.arguments); ++reading)
    if (const auto value = answers.value(place.name, place.arguments, reading))
      readings.push_back(*value);
  return readings;
}

std::vector<long long> ask(const nvml_device &device, const nvml_place &place) {
  switch (place.how) {
  case kind::value:
    return readings_of(device.functions, place);
  case kind::field:
    return readings_of(device.fields, place);
  case kind::ret:
    if (const int ret = device.functions.ret(place.name); ret != ret_not_recorded)
      return {ret};
    return {};
  case kind::member:
    break;
  }
  const auto value = device.functions.values(place.name, place.member);
  return value ? std::vector<long long>{*value} : std::vector<long long>{};
}

std::string in_words(const nvml_place &place, const std::vector<long long> &readings) {
  std::string text(place.name);
  if (place.how == kind::ret)
    return fmt::format("{} returns {} ({})", text, readings[0], nvml_return_name(static_cast<int>(readings[0])));
  if (!place.member.empty())
    text += fmt::format(" {}", place.member);
  for (const nvml_argument &argument : place.arguments)
    text += fmt::format(" {}={}", argument.name, argument.value);
  return fmt::format("{}: {}", text, fmt::join(readings, ", "));
}

constexpr int most_links = 18;

void count_links(const nvml_device &device, gpu_state &state, std::string_view source) {
  long long active = 0;
  bool is_known = false;
  for (int link = 0; link < most_links; ++link)
    if (const auto on = device.functions.value("nvmlDeviceGetNvLinkState", {{"link", link}})) {
      is_known = true;
      active += *on == 1;
    }
  if (is_known)
    state.statements[gpu_quantity::nvlinks_active] = {
        {active}, std::string(source), fmt::format("nvmlDeviceGetNvLinkState: {} links active", active)};
}

/// Only what grew between two readings counts here, since the counters last for the life of the driver.
void count_link_errors(const nvml_device &device, gpu_state &state, std::string_view source) {
  constexpr std::string_view function = "nvmlDeviceGetNvLinkErrorCounter";
  for (const auto &[quantity, counter] :
       {std::pair{gpu_quantity::nvlink_replays, 0LL}, std::pair{gpu_quantity::nvlink_recoveries, 1LL}})
    for (int link = 0; link < most_links; ++link) {
      const nvml_place place{quantity, kind::value, function, {}, {{"link", link}, {"counter", counter}}};
      const std::vector<long long> readings = readings_of(device.functions, place);
      if (!readings.empty() && readings.back() > readings.front())
        state.statements[quantity] = {readings, std::string(source), in_words(place, readings)};
    }
}

gpu_state state_of(const nvml_device &device, std::string_view source) {
  gpu_state state{device.index, std::nullopt, device.name, {}};
  if (device.bus_id)
    state.address = short_pci_address(*device.bus_id);
  constexpr std::string_view handle = "nvmlDeviceGetHandleByIndex_v2";
  // A capture made by hand may leave the handle out and yet hold answers of the device.
  if (const int ret = device.functions.ret(handle); ret != ret_not_recorded)
    state.statements[gpu_quantity::handle_return] = {
        {ret},
        std::string(source),
        fmt::format("{} of GPU {} returns {} ({})", handle, device.index, ret, nvml_return_name(ret))};
  for (const nvml_place &place : places()) {
    if (state.find(place.quantity) != nullptr)
      continue;
    const std::vector<long long> readings = ask(device, place);
    if (!readings.empty())
      state.statements[place.quantity] = {readings, std::string(source), in_words(place, readings)};
  }
  // The InfoROM tells on itself through other questions too.
  for (const std::string_view function :
       {"nvmlDeviceGetInforomImageVersion", "nvmlDeviceGetInforomConfigurationChecksum", "nvmlDeviceGetSerial"})
    if (device.functions.ret(function) == ret_corrupted_inforom)
      state.statements[gpu_quantity::inforom_return] = {
          {ret_corrupted_inforom}, std::string(source), fmt::format("{} returns 14 (InfoROM is corrupt)", function)};
  count_links(device, state, source);
  count_link_errors(device, state, source);
  return state;
}

} // namespace

std::vector<gpu_state> gpu_states_of(const nvml_record &record, std::string_view source) {
  std::vector<gpu_state> states;
  for (const nvml_device &device : record.devices)
    states.push_back(state_of(device, source));
  return states;
}

} // namespace gpucert
