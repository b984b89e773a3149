// SPDX-License-Identifier: Apache-2.0
// Check modules: is the driver's module loaded, does the running kernel have one, and are its parts of one release?
#include "checks/check.h"
#include "checks/module_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

void judge_parts(const node_evidence &node, judgement &result) {
  const auto nvidia = node.modules.versions.find("nvidia");
  if (nvidia == node.modules.versions.end() || !nvidia->second.is_known())
    return;
  for (const auto &[name, version] : node.modules.versions)
    if (version.is_known() && version->release != nvidia->second->release)
      result.add("driver.submodule-version-mismatch")
          .saw("{} is {}, nvidia is {}", name, version->text(), nvidia->second->text())
          .expected("one release for all modules of the driver")
          .read_from(version.source, version->text())
          .read_from(nvidia->second.source, nvidia->second->text());
}

bool has_modules_folder(const installed_kernels &kernels, const std::string &kernel) {
  return std::find(kernels.module_folders->begin(), kernels.module_folders->end(), kernel) !=
         kernels.module_folders->end();
}

/// A kernel package that replaced its predecessor in place took the modules of the running kernel away.
void judge_removed_folder(const node_evidence &node, judgement &result) {
  const installed_kernels &kernels = node.on_disk.kernels;
  if (!node.kernel_release.is_known() || !kernels.module_folders.is_known() || kernels.module_folders->empty() ||
      has_modules_folder(kernels, *node.kernel_release) || node.module_on_disk.is_known())
    return;
  result.add("driver.running-kernel-modules-removed")
      .saw("/lib/modules has no folder for the running kernel {}", *node.kernel_release)
      .expected("the modules of the running kernel")
      .read_from(kernels.module_folders.source, fmt::format("newest: {}", kernels.module_folders->back()));
}

/// That the running kernel has no module, by modprobe's own words or by what is on the disk.
void judge_missing_file(const node_evidence &node, judgement &result) {
  const auto words = reported_missing_module(node);
  const auto kernel = running_kernel(node);
  const auto claim = kernel ? claim_of_module_for(node, *kernel) : std::nullopt;
  if (!words && !(claim && !claim->exists) && !node.module_on_disk.is_absent())
    return;
  finding &found = result.add("driver.no-module-for-running-kernel")
                       .saw("no nvidia module for {}", kernel.value_or("the running kernel"))
                       .expected("a module of the installed driver");
  if (words)
    found.read_from(words->source, words->text);
  if (claim && !claim->exists)
    found.read_from(claim->source, claim->text);
  else if (node.module_on_disk.is_absent())
    found.read_from(node.module_on_disk.source, "no nvidia module");
}

void judge_absent_module(const node_evidence &node, judgement &result) {
  judge_missing_file(node, result);
  result.add("driver.module-not-loaded")
      .saw("no nvidia module in memory")
      .expected("nvidia")
      .read_from(node.modules.names.source, "no line for nvidia");
}

void judge_modules(const node_evidence &node, const expectations &, judgement &result) {
  judge_parts(node, result);
  if (node.platform.is_wsl2 || has_driver(node) == false)
    return; // Windows has the module; without a driver, gpu_count says so
  judge_removed_folder(node, result);
  const bool has_no_use =
      node.platform.is_jetson ||
      (node.gpus.is_known() && std::all_of(node.gpus->begin(), node.gpus->end(), is_passed_through));
  const std::optional<bool> is_loaded = node.modules.has("nvidia");
  if (!is_loaded && !node.modules.nvidia.is_known() && !has_no_use &&
      (reported_missing_module(node) || has_driver(node) == true))
    judge_missing_file(node, result);
  if (!is_loaded)
    return result.cannot_tell("loaded modules", node.modules.names);
  // A GPU on Tegra needs no module of this name (nvgpu); without a GPU nothing would load one, and a host that gives
  // all its GPUs to virtual machines has no use for it.
  const bool expects_module = !node.platform.is_jetson && node.gpus.is_known() &&
                              !std::all_of(node.gpus->begin(), node.gpus->end(), is_passed_through);
  if (!*is_loaded && expects_module)
    judge_absent_module(node, result);
}

const check_registration registration{
    {"modules", "is the module loaded, on disk for this kernel, and whole?", true, judge_modules}};

} // namespace
} // namespace gpucert
