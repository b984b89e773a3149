// SPDX-License-Identifier: Apache-2.0
// Check gsp_firmware: is the firmware of the GPU system processor that of the module, and in use? The module refuses an
// image of any other release, and the open flavour cannot start a GPU without one.
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "node/evidence.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view mismatch_id = "driver.gsp-firmware-mismatch", missing_id = "driver.gsp-firmware-missing";

const kernel_statement *find_statement(const node_evidence &node, kernel_topic topic) {
  if (!node.log.is_known())
    return nullptr;
  const auto &statements = node.log->statements;
  const auto found = std::find_if(statements.begin(), statements.end(),
                                  [&](const kernel_statement &statement) { return statement.topic == topic; });
  return found == statements.end() ? nullptr : &*found;
}

void judge_log(const node_evidence &node, judgement &result) {
  if (const kernel_statement *line = find_statement(node, kernel_topic::gsp_firmware_mismatch))
    result.add(mismatch_id)
        .saw("the module refuses the firmware: {}", line->text)
        .expected("firmware of the module's own release")
        .read_from(node.log.source, line_of(*line));
  if (const kernel_statement *line = find_statement(node, kernel_topic::gsp_firmware_load_failed))
    result.add(missing_id)
        .saw("the kernel could not load the firmware{}", line->address ? " for GPU " + *line->address : "")
        .expected("a readable firmware file of the module's release")
        .read_from(node.log.source, line_of(*line));
}

void judge_nvml(const node_evidence &node, judgement &result) {
  const auto driver = driver_release::parse(node.nvml->driver_version.value_or(""));
  for (const nvml_device &device : node.nvml->devices) {
    const auto firmware = driver_release::parse(device.functions.text("nvmlDeviceGetGspFirmwareVersion").value_or(""));
    if (driver && firmware && *driver != *firmware)
      result.add(mismatch_id)
          .saw("GPU {} runs firmware {}, the driver is {}", device.index, firmware->text(), driver->text())
          .expected("one release")
          .read_from(node.nvml.source, "nvmlDeviceGetGspFirmwareVersion " + firmware->text())
          .read_from(node.nvml.source, "nvmlSystemGetDriverVersion " + driver->text());
  }
}

bool drives_gpus(const node_evidence &node) {
  return node.gpus.is_known() && std::any_of(node.gpus->begin(), node.gpus->end(),
                                             [](const pci_gpu &gpu) { return gpu.bound_driver.value == "nvidia"; });
}

/// Only for the open flavour, which always needs the firmware, and not where every GPU answers: then it was found.
void judge_files(const node_evidence &node, judgement &result) {
  const fact<std::vector<std::string>> &releases = node.gsp.releases;
  const fact<loaded_module> &loaded = node.modules.nvidia;
  if (!releases.is_known() || !loaded.is_known() || loaded->flavour != module_flavour::open || loaded->is_tegra_build ||
      !drives_gpus(node) || all_gpus_answer(node))
    return;
  if (std::find(releases->begin(), releases->end(), loaded->version.text()) != releases->end())
    return;
  result.add(missing_id)
      .saw("no firmware of release {} on the disk{}", loaded->version.text(),
           releases->empty() ? "" : fmt::format(", but of {}", fmt::join(*releases, ", ")))
      .expected("nvidia/{}/gsp_*.bin, since the loaded module is of the open flavour", loaded->version.text())
      .read_from(releases.source, releases->empty() ? "no gsp file" : fmt::format("{}", fmt::join(*releases, " ")))
      .read_from(loaded.source, loaded->version.text());
}

void judge_switch(const node_evidence &node, judgement &result) {
  if (node.gsp.switched_off.empty())
    return;
  finding &found = result.add("gsp.firmware-disabled")
                       .saw("{}", node.gsp.switched_off.front().line)
                       .expected("the firmware in use, as by default");
  for (const module_setting &setting : node.gsp.switched_off)
    found.read_from(setting.source, setting.line);
}

bool has_reported_missing(const judgement &result) {
  return std::any_of(result.findings().begin(), result.findings().end(),
                     [](const finding &found) { return found.id() == missing_id; });
}

void judge_gsp_firmware(const node_evidence &node, const expectations &, judgement &result) {
  judge_switch(node, result);
  if (node.nvml.is_known())
    judge_nvml(node, result);
  if (!all_gpus_answer(node)) // else the start was repeated, with the firmware at hand
    judge_log(node, result);
  if (!has_reported_missing(result))
    judge_files(node, result);
}

const check_registration registration{{"gsp_firmware",
                                       "is the firmware of the GPU system processor that of the module, and in use?",
                                       false, judge_gsp_firmware}};

} // namespace
} // namespace gpucert
