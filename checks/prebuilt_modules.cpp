// SPDX-License-Identifier: Apache-2.0
// Check prebuilt_modules: do the distribution's module packages serve the running kernel and the next one?
//
// Prebuilt modules are published for one kernel each, and the kernel is often published first.
#include "checks/check.h"
#include "checks/module_claims.h"

namespace gpucert {
namespace {

/// The first prebuilt package, by name, that states its kernel. SUSE's serve all kernels of one kABI, and are no
/// witness.
const installed_package *find_prebuilt(const node_evidence &node) {
  const installed_package *found = nullptr;
  for (const installed_package &package : *node.packages)
    if (package.has_files() && classify_driver_package(package.name) == driver_part::kernel_module &&
        package.name.find("-kmp-") == std::string::npos && kernel_release_of_module_package(package) &&
        (found == nullptr || package.name < found->name))
      found = &package;
  return found;
}

bool judge_kernel(const node_evidence &node, const installed_package &prebuilt, const std::string &kernel,
                  judgement &result) {
  const auto module = claim_of_module_for(node, kernel);
  if (module && module->exists)
    return false;
  finding &found = result.add("driver.prebuilt-module-lags-kernel")
                       .saw("{} is for another kernel than {}", prebuilt.name, kernel)
                       .expected("a module package for {}", kernel)
                       .read_from(node.packages.source, prebuilt.name);
  if (module)
    found.read_from(module->source, module->text);
  else
    found.is_inferred_because("nothing lists the modules on disk; the names of the packages say it");
  return true;
}

void judge_prebuilt_modules(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.packages.is_known() || node.platform.has_gpu_off_pci() || builds_modules(node))
    return;
  const installed_package *prebuilt = find_prebuilt(node);
  if (prebuilt == nullptr)
    return;
  const auto running = running_kernel(node);
  const bool is_loaded = node.modules.has("nvidia") == true || node.modules.nvidia.is_known();
  if (running && !is_loaded && judge_kernel(node, *prebuilt, *running, result))
    return;
  if (node.on_disk.next && node.on_disk.next->is_sure && node.on_disk.next->release != running)
    judge_kernel(node, *prebuilt, node.on_disk.next->release, result);
}

const check_registration registration{
    {"prebuilt_modules", "do prebuilt module packages serve the kernels?", false, judge_prebuilt_modules}};

} // namespace
} // namespace gpucert
