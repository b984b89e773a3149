// SPDX-License-Identifier: Apache-2.0
// Check module_source: do DKMS and akmods hold the sources of the release that the libraries have?
//
// A build from old sources succeeds, looks fresh, and gives a module that the libraries refuse at its next load. Old
// sources beside a matching module of another kind (prebuilt, precompiled) are leftovers and no fault.
#include "checks/check.h"
#include "checks/module_claims.h"

namespace gpucert {
namespace {

/// The module that will be loaded is already that of the libraries, from wherever it came.
bool has_matching_module(const node_evidence &node, const version_claim &userspace) {
  if (const auto disk = claim_of_module_on_disk(node))
    return may_be_same(*disk, userspace);
  const auto prebuilt = claim_of_packages(node, driver_part::kernel_module);
  if (prebuilt && may_be_same(*prebuilt, userspace))
    return true;
  const auto loaded = claim_of_loaded_module(node);
  return loaded && may_be_same(*loaded, userspace);
}

/// Ubuntu's prebuilt modules have the version of their kernel, so that nobody knows whether they are the right ones.
bool has_prebuilt_of_unknown_release(const node_evidence &node) {
  for (const installed_package &package : *node.packages)
    if (package.has_files() && classify_driver_package(package.name) == driver_part::kernel_module &&
        !driver_release_of(package))
      return true;
  return false;
}

/// The newest release in DKMS' tree; nothing where it has none, or an entry whose release cannot be read.
std::optional<version_claim> claim_of_dkms_tree(const node_evidence &node) {
  std::optional<version_claim> newest;
  if (!node.on_disk.dkms.is_known())
    return newest;
  for (const dkms_entry &entry : node.on_disk.dkms->entries) {
    if (!entry.is_driver())
      continue;
    const auto release = entry.release();
    if (!release)
      return std::nullopt;
    if (!newest || newest->release < *release)
      newest = version_claim{*release, node.on_disk.dkms.source, entry.text};
  }
  return newest;
}

void judge_module_source(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || !node.packages.is_known())
    return;
  const auto source_package = claim_of_packages(node, driver_part::module_source);
  const auto userspace = claim_of_packages(node, driver_part::userspace);
  if (!userspace || !source_package || has_matching_module(node, *userspace) || has_prebuilt_of_unknown_release(node))
    return;
  auto sources = source_package;
  if (const auto tree = claim_of_dkms_tree(node); tree && tree->release < sources->release)
    sources = tree; // the package is new, and what it left in the tree is old
  if (sources->release >= userspace->release)
    return;
  result.add("packages.module-source-older")
      .saw("sources of module {}, user-space packages {}", sources->release.text(), userspace->release.text())
      .expected("module sources of release {}", userspace->release.text())
      .read_from(sources->source, sources->text)
      .read_from(userspace->source, userspace->text)
      .note("To rebuild the module does not help: it would be {} again.", sources->release.text());
}

const check_registration registration{{"module_source",
                                       "are the sources that modules are built from of the libraries' release?", false,
                                       judge_module_source}};

} // namespace
} // namespace gpucert
