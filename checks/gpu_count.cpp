// SPDX-License-Identifier: Apache-2.0
// Check gpu_count: are the GPUs there that should be, by PCI, by NVML and by the operator's word?
#include "checks/check.h"
#include "checks/version_claims.h"

namespace gpucert {
namespace {

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
  const auto on_pci = static_cast<long long>(node.gpus->size());
  if (!count || *count >= on_pci)
    return;
  result.add(*count == 0 ? "driver.no-devices" : "hw.gpu-missing")
      .saw("the driver reports {} GPUs, PCI shows {}", *count, on_pci)
      .expected("as many as PCI shows")
      .read_from(node.nvml.source, fmt::format("nvmlDeviceGetCount_v2: {}", *count))
      .read_from(node.gpus.source, fmt::format("{} GPUs", on_pci));
}

void judge_driver_presence(const node_evidence &node, const expectations &expected, judgement &result) {
  const std::optional<bool> driver = has_driver(node);
  if (!driver)
    return node.libraries.is_unknown() ? result.cannot_tell("whether a driver is installed", node.libraries)
                                       : result.cannot_tell("whether a driver is installed", node.packages);
  if (*driver && node.gpus->empty()) {
    finding &found = result.add("hw.no-gpu")
                         .saw("no NVIDIA GPU on PCI, but an installed driver")
                         .expected("a device of vendor 0x10de and class 0x0300 or 0x0302")
                         .read_from(node.gpus.source, "no such device");
    if (const auto userspace = claim_of_userspace(node))
      found.saw("no NVIDIA GPU on PCI, but the user-space driver {} is installed", userspace->release.text())
          .read_from(userspace->source, userspace->text);
  } else if (!*driver && !node.gpus->empty()) {
    result.add("driver.not-installed")
        .saw("{} NVIDIA GPUs on PCI, and no driver", node.gpus->size())
        .expected("an NVIDIA driver: module, libraries or packages")
        .read_from(node.gpus.source, node.gpus->front().address);
  }
  if (expected.gpu_count)
    judge_expected(node, *expected.gpu_count, result);
}

void judge_gpu_count(const node_evidence &node, const expectations &expected, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return;
  if (!node.gpus.is_known())
    return result.cannot_tell("NVIDIA devices on PCI", node.gpus);
  judge_driver_presence(node, expected, result);
  judge_nvml(node, result);
}

const check_registration registration{
    {"gpu_count", "are the GPUs there that PCI shows and the operator expects?", false, judge_gpu_count}};

} // namespace
} // namespace gpucert
