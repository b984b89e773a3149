// SPDX-License-Identifier: Apache-2.0
#include "checks/log_evidence.h"

#include "node/evidence.h"
#include "node/pci_address.h"

#include <algorithm>

namespace gpucert {
namespace {

template <class Entry> std::string with_time(const Entry &entry) {
  std::string time = entry.seconds_since_boot  ? fmt::format("[{:.6f}] ", *entry.seconds_since_boot)
                     : entry.wall_time.empty() ? ""
                                               : entry.wall_time + " ";
  return fmt::format("{}{}{}", time, entry.text, entry.count > 1 ? fmt::format(" ({} times)", entry.count) : "");
}

} // namespace

std::string when_of(const xid_event &event) {
  return event.seconds_since_boot ? fmt::format("{:.0f} s after boot", *event.seconds_since_boot) : event.wall_time;
}

std::string line_of(const xid_event &event) { return with_time(event); }

std::string line_of(const kernel_statement &statement) { return with_time(statement); }

std::string gpu_of(const std::optional<std::string> &address) { return address ? "GPU " + *address : "a GPU"; }

const nvml_device *device_at(const node_evidence &node, const std::optional<std::string> &address) {
  if (!node.nvml.is_known() || !address)
    return nullptr;
  for (const nvml_device &device : node.nvml->devices)
    if (device.bus_id && parse_pci_address(*device.bus_id) == address)
      return &device;
  return nullptr;
}

bool all_gpus_answer(const node_evidence &node) {
  if (!node.nvml.is_known() || node.nvml->init_return != 0 || !node.gpus.is_known() || node.gpus->empty())
    return false;
  const auto kept =
      std::count_if(node.gpus->begin(), node.gpus->end(), [](const pci_gpu &gpu) { return !is_passed_through(gpu); });
  const auto is_handled = [](const nvml_device &device) {
    return device.functions.ret("nvmlDeviceGetHandleByIndex_v2") == 0;
  };
  return node.nvml->device_count.value_or(0) >= std::max<std::ptrdiff_t>(kept, 1) &&
         std::all_of(node.nvml->devices.begin(), node.nvml->devices.end(), is_handled);
}

} // namespace gpucert
