// SPDX-License-Identifier: Apache-2.0
// Check half_configured: did a package run of the driver or of a kernel stop midway? Its scripts build and copy
// modules.
#include "checks/half_configured.h"

#include "checks/check.h"
#include "checks/module_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

bool is_unfinished(const installed_package &package) {
  return package.state == package_state::half_installed || package.state == package_state::unpacked ||
         package.state == package_state::half_configured || (package.needs_reinstall && package.has_files());
}

bool is_kernel_package(const installed_package &package) {
  return package.name.starts_with("linux-image-") || package.name.starts_with("linux-headers-") ||
         package.name.starts_with("linux-modules-");
}

bool is_of_running_kernel(const node_evidence &node, const installed_package &package) {
  const auto running = running_kernel(node);
  return running && is_kernel_package(package) && package.name.ends_with("-" + *running);
}

void judge_half_configured(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.packages.is_known())
    return;
  finding *found = nullptr;
  for (const installed_package &package : *node.packages) {
    if (!is_unfinished(package) || !(classify_driver_package(package.name) || is_kernel_package(package)))
      continue;
    const std::string text = fmt::format("{} is {}{}", package.name, to_string(package.state),
                                         package.needs_reinstall ? ", and must be reinstalled" : "");
    if (found == nullptr)
      found = &result.add("packages.half-configured").saw("{}", text).expected("packages that are installed in full");
    found->read_from(node.packages.source, text);
  }
}

const check_registration registration{
    {"half_configured", "are packages of driver and kernel installed in full?", false, judge_half_configured}};

} // namespace

bool half_configured_explains(const node_evidence &node) {
  return node.packages.is_known() &&
         std::any_of(node.packages->begin(), node.packages->end(), [&](const installed_package &package) {
           return is_unfinished(package) &&
                  (classify_driver_package(package.name) || is_of_running_kernel(node, package));
         });
}

} // namespace gpucert
