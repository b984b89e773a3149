// SPDX-License-Identifier: Apache-2.0
// Check modules: is the driver's module loaded, does the running kernel have one, and are its parts of one release?
#include "checks/check.h"
#include "checks/version_claims.h"

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

void judge_absent_module(const node_evidence &node, judgement &result) {
  const std::string kernel = node.kernel_release.value.value_or("the running kernel");
  if (node.module_on_disk.is_absent())
    result.add("driver.no-module-for-running-kernel")
        .saw("no nvidia module for {}", kernel)
        .expected("a module of the installed driver")
        .read_from(node.module_on_disk.source, "no nvidia module");
  result.add("driver.module-not-loaded")
      .saw("no nvidia module in memory")
      .expected("nvidia")
      .read_from(node.modules.names.source, "no line for nvidia");
}

void judge_modules(const node_evidence &node, const expectations &, judgement &result) {
  judge_parts(node, result);
  if (node.platform.is_wsl2 || has_driver(node) == false)
    return; // Windows has the module; without a driver, gpu_count says so
  const std::optional<bool> is_loaded = node.modules.has("nvidia");
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
