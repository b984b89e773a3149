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

/// Why a kernel has no headers; nothing where it has them or nobody knows.
std::optional<evidence_item> lack_of_headers(const node_evidence &node, const std::string &kernel) {
  const auto &with_headers = node.on_disk.kernels_with_headers;
  if (with_headers.is_known()) {
    if (std::find(with_headers->begin(), with_headers->end(), kernel) != with_headers->end())
      return std::nullopt;
    return evidence_item{with_headers.source, fmt::format("/lib/modules/{}/build leads nowhere", kernel)};
  }
  if (!node.packages.is_known())
    return std::nullopt;
  const auto has = [&](const std::string &name) {
    return std::any_of(node.packages->begin(), node.packages->end(), [&](const installed_package &package) {
      return package.has_files() && (package.name == name || (package.is_name_cut && name.starts_with(package.name)));
    });
  };
  // Only dpkg's kernels name their release, so that the absence of the headers' package says something.
  if (!has("linux-image-" + kernel) || has("linux-headers-" + kernel))
    return std::nullopt;
  return evidence_item{node.packages.source, fmt::format("linux-image-{0} without linux-headers-{0}", kernel)};
}

/// DKMS passes over a kernel without headers in silence where it is run by a kernel's hook: no log has a failed build.
void judge_headers(const node_evidence &node, const std::string &kernel, judgement &result) {
  const auto &entries = node.on_disk.dkms->entries;
  const auto driver = std::find_if(entries.begin(), entries.end(), [](const dkms_entry &e) { return e.is_driver(); });
  const bool is_built = std::any_of(entries.begin(), entries.end(),
                                    [&](const dkms_entry &e) { return e.is_driver() && e.kernel == kernel; });
  const bool is_loaded = kernel == running_kernel(node) && node.modules.has("nvidia") != false;
  if (driver == entries.end() || is_built || is_loaded)
    return;
  if (const auto module = claim_of_module_for(node, kernel); module && module->exists)
    return;
  if (const auto lack = lack_of_headers(node, kernel))
    result.add("driver.kernel-headers-missing")
        .saw("DKMS has built no module for kernel {}, whose headers are not installed", kernel)
        .expected("the headers of the kernel, and a module")
        .read_from(lack->source, lack->text)
        .read_from(node.on_disk.dkms.source, driver->text);
}

void judge_headers(const node_evidence &node, judgement &result) {
  if (!node.on_disk.dkms.is_known() ||
      std::any_of(result.findings().begin(), result.findings().end(),
                  [](const finding &found) { return found.id() == "driver.kernel-headers-missing"; }))
    return; // a build has already said so
  const auto running = running_kernel(node);
  if (running)
    judge_headers(node, *running, result);
  if (const auto &next = node.on_disk.next; next && next->is_sure && next->release != running)
    judge_headers(node, next->release, result);
}

void judge_dkms(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return;
  if (node.on_disk.dkms.is_known()) {
    judge_tree(node.on_disk.dkms, result);
    judge_installed(node, result);
  }
  judge_builds(node, result);
  judge_headers(node, result);
}

const check_registration registration{
    {"dkms", "did DKMS build the module, and is that one installed?", false, judge_dkms}};

} // namespace
} // namespace gpucert
