// SPDX-License-Identifier: Apache-2.0
// Hypothesis heat: is a GPU too hot, or throttled? Only the driver knows temperatures and clocks, so that a driver
// which does not answer leaves this open.
#include "checks/hypothesis.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 1> findings_of_heat{"hw.throttled"};

// nvmlClocksEventReason* of nvml.h: HwSlowdown, SwThermalSlowdown, HwThermalSlowdown. The bit of the power cap is set
// on every GPU at full load.
constexpr long long thermal_reasons = 0x8 | 0x20 | 0x40;

std::optional<long long> event_reasons(const nvml_device &device) {
  const auto reasons = device.functions.value("nvmlDeviceGetCurrentClocksEventReasons");
  return reasons ? reasons : device.functions.value("nvmlDeviceGetCurrentClocksThrottleReasons"); // before 535
}

ruling judge_devices(const nvml_record &nvml, const std::string &source) {
  ruling result{ruling_word::ruled_out, "no GPU is throttled for heat at this moment", {}};
  for (const nvml_device &device : nvml.devices) {
    const auto reasons = event_reasons(device);
    if (!reasons)
      return {ruling_word::unknown, fmt::format("NVML does not say why GPU {} keeps its clocks", device.index), {}};
    const auto celsius = device.functions.value("nvmlDeviceGetTemperature", {{"sensorType", 0}});
    if ((*reasons & thermal_reasons) != 0)
      result = {ruling_word::not_ruled_out, fmt::format("GPU {} is slowed down for heat", device.index), {}};
    result.evidence.push_back({source, fmt::format("GPU {}: {}clock event reasons {:#x}", device.index,
                                                   celsius ? fmt::format("{} C, ", *celsius) : "", *reasons)});
    if (result.word == ruling_word::not_ruled_out)
      return result;
  }
  return result;
}

ruling judge_heat(const node_evidence &node, const std::vector<std::string> &present) {
  if (const auto id = first_present(present, findings_of_heat); !id.empty())
    return {ruling_word::not_ruled_out, fmt::format("see {}", id), {}};
  if (node.log.is_known())
    for (const kernel_statement &said : node.log->statements)
      if (said.topic == kernel_topic::thermal)
        return {ruling_word::not_ruled_out, "the kernel reported heat", {{node.log.source, said.text}}};
  if (node.nvml.is_known() && node.nvml->init_return == 0 && !node.nvml->devices.empty())
    return judge_devices(*node.nvml, node.nvml.source);
  return {ruling_word::unknown, "NVML, which reads temperatures and clocks, did not answer", {}};
}

const hypothesis_registration registration{{"heat", "was it heat or throttling?", judge_heat}};

} // namespace
} // namespace gpucert
