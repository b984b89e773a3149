// SPDX-License-Identifier: Apache-2.0
// Check dkms: does DKMS read its own tree, did the builds of the driver succeed, and is what it built installed?
//
// No output is normal with prebuilt modules, akmods and the installer.
#include "checks/check.h"
#include "checks/module_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

void judge_tree(const fact<dkms_status> &dkms, judgement &result) {
  const auto broken = std::find_if(dkms->entries.begin(), dkms->entries.end(), [](const dkms_entry &entry) {
    return entry.is_driver() && entry.state == dkms_state::broken;
  });
  if (!dkms->error && broken == dkms->entries.end())
    return;
  finding &found = result.add("driver.dkms-tree-broken")
                       .saw("{}", dkms->missing_file ? *dkms->missing_file + " does not exist"
                                  : dkms->error      ? *dkms->error
                                                     : broken->text)
                       .expected("a tree that dkms can read");
  found.read_from(dkms.source, dkms->error ? *dkms->error : broken->text);
}

/// Of the kernels that matter: the running and the next one. Where neither is known, any.
bool matters(const node_evidence &node, const std::optional<std::string> &kernel) {
  const auto running = running_kernel(node);
  if (!kernel || (!running && !node.on_disk.next))
    return true;
  return kernel == running || (node.on_disk.next && kernel == node.on_disk.next->release);
}

void judge_installed(const node_evidence &node, judgement &result) {
  for (const dkms_entry &entry : node.on_disk.dkms->entries)
    if (entry.is_driver() && (entry.differs || entry.is_missing) && matters(node, entry.kernel)) {
      result.add("driver.dkms-installed-file-differs")
          .saw("{}", entry.text)
          .expected("the module that DKMS built, in the folder of the kernel")
          .read_from(node.on_disk.dkms.source, entry.text);
      return;
    }
}

/// A module of the release that failed, or of that of the libraries, means that somebody mended it since.
bool was_mended(const node_evidence &node, const module_build &build) {
  if (!build.kernel)
    return node.modules.nvidia.is_known();
  const auto module = claim_of_module_for(node, *build.kernel);
  if (!module || !module->exists)
    return false;
  const auto userspace = claim_of_userspace(node);
  return !module->release || !userspace || module->release == userspace->release ||
         module->release->text() == build.version.value_or("");
}

void judge_builds(const node_evidence &node, judgement &result) {
  for (const module_build &build : node.on_disk.builds) {
    if (build.outcome == build_outcome::succeeded || !matters(node, build.kernel) || was_mended(node, build))
      continue;
    const bool lacks_headers = build.outcome == build_outcome::no_headers;
    result.add(lacks_headers ? "driver.kernel-headers-missing" : "driver.dkms-build-failed")
        .saw("the module {} for kernel {} was not built{}", build.version.value_or("of the driver"),
             build.kernel.value_or("(not named)"), lacks_headers ? ": its headers are not installed" : "")
        .expected("a build that succeeds")
        .read_from(build.source, build.text);
  }
}

void judge_dkms(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return;
  if (node.on_disk.dkms.is_known()) {
    judge_tree(node.on_disk.dkms, result);
    judge_installed(node, result);
  }
  judge_builds(node, result);
}

const check_registration registration{
    {"dkms", "did DKMS build the module, and is that one installed?", false, judge_dkms}};

} // namespace
} // namespace gpucert
