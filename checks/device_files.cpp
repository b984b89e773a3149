// SPDX-License-Identifier: Apache-2.0
// Check device_files: can a program reach the driver through /dev?
//
// The driver does not make its own files: nvidia-modprobe, udev rules or nvidia-persistenced do. nvidia-smi needs no
// /dev/nvidia-uvm, CUDA does: "nvidia-smi works" does not clear it.
#include "checks/check.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view control_file = "/dev/nvidiactl";
constexpr std::string_view unified_memory_file = "/dev/nvidia-uvm";

bool is_gpu_file(std::string_view path) { // /dev/nvidia0, not /dev/nvidiactl
  constexpr std::string_view prefix = "/dev/nvidia";
  return path.starts_with(prefix) && path.size() > prefix.size() &&
         path.find_first_not_of("0123456789", prefix.size()) == path.npos;
}

/// GPUs that the nvidia driver holds; nothing where nobody knows.
std::optional<std::size_t> count_driven_gpus(const node_evidence &node) {
  if (!node.gpus.is_known())
    return std::nullopt;
  std::size_t count = 0;
  for (const pci_gpu &gpu : *node.gpus) {
    if (gpu.bound_driver.is_unknown())
      return std::nullopt;
    count += gpu.bound_driver.is_known() && *gpu.bound_driver == "nvidia" ? 1U : 0U;
  }
  return count;
}

void judge_missing(const node_evidence &node, judgement &result) {
  std::vector<device_file> files = *node.device_files;
  std::sort(files.begin(), files.end(), [](const device_file &a, const device_file &b) { return a.path < b.path; });
  std::size_t gpu_files = 0;
  for (const device_file &file : files)
    gpu_files += is_gpu_file(file.path) ? 1U : 0U;
  const std::size_t gpus = count_driven_gpus(node).value_or(0);
  const bool has_control = has_device_file(files, control_file);
  if (!has_control || gpu_files < gpus)
    result.add("nodes.device-files-missing")
        .saw("{} GPU files, {}{}", gpu_files, has_control ? "" : "no ", control_file)
        .expected("/dev/nvidia0 to /dev/nvidia{}, {}", gpus == 0 ? 0 : gpus - 1, control_file)
        .read_from(node.device_files.source, format_device_list(files));
  else if (!has_device_file(files, unified_memory_file))
    result.add("nodes.uvm-missing")
        .saw("{} without {}", control_file, unified_memory_file)
        .expected("{}, which CUDA opens first", unified_memory_file)
        .read_from(node.device_files.source, format_device_list(files));
}

void judge_device_files(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || has_driver(node) == false)
    return; // other files there, and none without a driver
  if (!node.device_files.is_known())
    return result.cannot_tell("files in /dev", node.device_files);
  const bool has_any = has_device_file(*node.device_files, control_file);
  if (!has_any && node.modules.has("nvidia") == false)
    return; // no module, no files: check modules tells why
  if (!has_any && count_driven_gpus(node) == 0U)
    return; // nothing to open
  if (!has_any && !count_driven_gpus(node))
    return result.cannot_tell("GPUs that the driver holds", node.gpus);
  judge_missing(node, result);
}

const check_registration registration{
    {"device_files", "are the driver's files in /dev there?", true, judge_device_files}};

} // namespace
} // namespace gpucert
