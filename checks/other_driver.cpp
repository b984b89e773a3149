// SPDX-License-Identifier: Apache-2.0
// Check other_driver: does something other than nvidia hold an NVIDIA GPU?
//
// nouveau (or nova_core since kernel 6.15) claims the device at boot when it is not blacklisted in the
// initramfs. The nvidia module then loads and finds no device, which looks like broken hardware.
#include "checks/check.h"
#include "node/evidence.h"

namespace gpucert {
namespace {

constexpr std::string_view other_driver_bound = "driver.other-driver-bound";

void judge_bindings(const node_evidence &node, judgement &result) {
  if (!node.gpus.is_known())
    return;
  for (const pci_gpu &gpu : *node.gpus) {
    // Unbound is the business of modules and device_files; passthrough is a choice, not a fault.
    if (!gpu.bound_driver.is_known() || *gpu.bound_driver == "nvidia" || is_passthrough_driver(*gpu.bound_driver))
      continue;
    result.add(other_driver_bound)
        .saw("{} is bound to {}", gpu.address, *gpu.bound_driver)
        .expected("nvidia")
        .read_from(gpu.bound_driver.source, *gpu.bound_driver);
  }
}

/// What PCI could not say: nothing when it told the driver of every GPU.
std::optional<unknown_fact> missing_binding(const node_evidence &node) {
  if (node.gpus.is_unknown())
    return unknown_fact{"NVIDIA devices on PCI", node.gpus.source, *node.gpus.problem};
  if (node.gpus.is_absent())
    return std::nullopt; // no PCI, no GPU on it
  // Of several the first by address is named, whatever the order of the list.
  const pci_gpu *first = nullptr;
  for (const pci_gpu &gpu : *node.gpus)
    if (gpu.bound_driver.is_unknown() && (first == nullptr || gpu.address < first->address))
      first = &gpu;
  if (first == nullptr)
    return std::nullopt;
  return unknown_fact{"driver bound to " + first->address, first->bound_driver.source, *first->bound_driver.problem};
}

void judge_log(const node_evidence &node, judgement &result) {
  for (const other_driver_report &report : node.log->other_drivers) {
    if (report.driver && is_passthrough_driver(*report.driver))
      continue;
    result.add(other_driver_bound)
        .saw("{} is held by {}", report.address.value_or("a GPU"), report.driver.value_or("another driver"))
        .expected("nvidia")
        .read_from(node.log.source, report.text);
  }
}

void judge_other_driver(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return;
  judge_bindings(node, result);
  const std::optional<unknown_fact> missing = missing_binding(node);
  if (!missing)
    return;
  // The log is history: it counts only where PCI does not say how things are now.
  if (node.log.is_known())
    judge_log(node, result);
  if (result.findings().empty())
    result.cannot_tell(*missing);
}

const check_registration registration{
    {"other_driver", "does something other than nvidia hold an NVIDIA GPU?", true, judge_other_driver}};

} // namespace
} // namespace gpucert
