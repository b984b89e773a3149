// SPDX-License-Identifier: Apache-2.0
// Check gpu_count: are the GPUs there that should be, by PCI, by NVML and by the operator's word?
#include "checks/check.h"
#include "checks/version_claims.h"

#include <algorithm>
#include <functional>

namespace gpucert {
namespace {

/// By address, whatever the order of the list.
std::string first_address(const std::vector<pci_gpu> &gpus) {
  return std::min_element(gpus.begin(), gpus.end(),
                          [](const pci_gpu &a, const pci_gpu &b) { return a.address < b.address; })
      ->address;
}

void judge_expected(const node_evidence &node, int expected, judgement &result) {
  const int found = static_cast<int>(node.gpus->size());
  if (found < expected)
    result.add("hw.gpu-missing")
        .saw("{} NVIDIA GPUs on PCI", found)
        .expected("{}, as --expect-gpus says", expected)
        .read_from(node.gpus.source, fmt::format("{} devices of vendor 0x10de and class 0x0300 or 0x0302", found));
}

void judge_nvml(const node_evidence &node, judgement &result) {
  const std::optional<long long> count =
      node.nvml.is_known() ? node.nvml->value("nvmlDeviceGetCount_v2") : std::nullopt;
  const long long on_pci = std::count_if(node.gpus->begin(), node.gpus->end(), std::not_fn(is_passed_through));
  if (!count || *count >= on_pci)
    return;
  result.add(*count == 0 ? "driver.no-devices" : "hw.gpu-missing")
      .saw("the driver reports {} GPUs, PCI shows {}", *count, on_pci)
      .expected("as many as PCI shows, those of virtual machines apart")
      .read_from(node.nvml.source, fmt::format("nvmlDeviceGetCount_v2: {}", *count))
      .read_from(node.gpus.source, fmt::format("{} GPUs", on_pci));
}

void judge_driver_presence(const node_evidence &node, judgement &result) {
  const std::optional<bool> driver = has_driver(node);
  constexpr std::string_view what = "whether a driver is installed";
  if (!driver)
    return node.libraries.is_unknown()  ? result.cannot_tell(what, node.libraries)
           : node.packages.is_unknown() ? result.cannot_tell(what, node.packages)
                                        : result.cannot_tell(what, node.module_on_disk);
  if (*driver && node.gpus->empty()) {
    finding &found = result.add("hw.no-gpu")
                         .saw("no NVIDIA GPU on PCI, but an installed driver")
                         .expected("a device of vendor 0x10de and class 0x0300 or 0x0302")
                         .read_from(node.gpus.source, "no such device");
    if (const auto userspace = claim_of_userspace(node))
      found.saw("no NVIDIA GPU on PCI, but the user-space driver {} is installed", userspace->release.text())
          .read_from(userspace->source, userspace->text);
  } else if (!*driver && !std::all_of(node.gpus->begin(), node.gpus->end(), is_passed_through)) {
    result.add("driver.not-installed")
        .saw("{} NVIDIA GPUs on PCI, and no driver", node.gpus->size())
        .expected("an NVIDIA driver: module, libraries or packages")
        .read_from(node.gpus.source, first_address(*node.gpus));
  }
}

void judge_gpu_count(const node_evidence &node, const expectations &expected, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return;
  if (!node.gpus.is_known())
    return result.cannot_tell("NVIDIA devices on PCI", node.gpus);
  judge_driver_presence(node, result);
  if (expected.gpu_count)
    judge_expected(node, *expected.gpu_count, result);
  judge_nvml(node, result);
}

const check_registration registration{
    {"gpu_count", "are the GPUs there that PCI shows and the operator expects?", false, judge_gpu_count}};

} // namespace
} // namespace gpucert
