// SPDX-License-Identifier: Apache-2.0
// Check mixed_branches: are the driver's libraries and tools of one branch?
//
// Libraries of a second branch come with a package that asks for them by name, and whichever was unpacked last owns
// the links. The version counts, not the name: a transitional nvidia-driver-460 has the version 470.161.03.
#include "checks/check.h"
#include "node/driver_package.h"
#include "node/evidence.h"

#include <map>

namespace gpucert {
namespace {

/// What Ubuntu leaves behind of an old branch without any harm: rules of modprobe and profiles, no library.
bool holds_no_library(std::string_view name) {
  return name.starts_with("nvidia-kernel-common-") || name.starts_with("libnvidia-common-");
}

void judge_mixed_branches(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.packages.is_known() || node.platform.has_gpu_off_pci())
    return;
  std::map<int, const installed_package *> branches; // the first package of each
  for (const installed_package &package : *node.packages) {
    if (!package.has_files() || package.is_name_cut || holds_no_library(package.name) ||
        classify_driver_package(package.name) != driver_part::userspace)
      continue;
    if (const auto release = driver_release_of(package))
      branches.try_emplace(release->branch(), &package);
  }
  if (branches.size() < 2)
    return;
  const installed_package &oldest = *branches.begin()->second, &newest = *branches.rbegin()->second;
  finding &found = result.add("packages.mixed-branches")
                       .saw("libraries or tools of {} driver branches: {} {} beside {} {}", branches.size(),
                            oldest.name, oldest.version->text, newest.name, newest.version->text)
                       .expected("packages of one branch");
  for (const auto &[branch, package] : branches)
    found.read_from(node.packages.source, fmt::format("{} {}", package->name, package->version->text));
}

const check_registration registration{
    {"mixed_branches", "are the packages of the driver of one branch?", false, judge_mixed_branches}};

} // namespace
} // namespace gpucert
