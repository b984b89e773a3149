// SPDX-License-Identifier: Apache-2.0
// Check mixed_sources: did the driver come to this node in one way?
//
// The installer file and packages overwrite each other's files, and packages of one release from two repositories
// follow two schedules. Fabric Manager does not count: it comes by itself also where the driver is the installer's.
#include "checks/check.h"
#include "checks/version_claims.h"

#include <map>

namespace gpucert {
namespace {

/// Who builds packages with such a version, as far as the part behind the release says it. Nothing where several do.
std::optional<std::string_view> origin_of(std::string_view version, const driver_release &release) {
  const auto at = version.find(release.text());
  if (at == version.npos)
    return std::nullopt;
  const std::string_view suffix = version.substr(at + release.text().size());
  if (suffix.find("~gpu") != suffix.npos)
    return "the graphics-drivers PPA";
  if (suffix.starts_with("-0ubuntu0."))
    return "Ubuntu";
  if (suffix.find("~deb") != suffix.npos || suffix.find("+deb") != suffix.npos || suffix.find("~bpo") != suffix.npos)
    return "Debian";
  if (suffix == "-0ubuntu1" || suffix == "-1ubuntu1" || suffix == "-1")
    return "NVIDIA's repository";
  return std::nullopt;
}

bool is_part_of_one_build(const installed_package &package) {
  const auto part = classify_driver_package(package.name);
  return package.has_files() && part && *part != driver_part::fabric_manager;
}

/// Packages of one release from two repositories.
void judge_origins(const node_evidence &node, judgement &result) {
  std::map<driver_release, std::map<std::string_view, const installed_package *>> releases;
  for (const installed_package &package : *node.packages)
    if (is_part_of_one_build(package))
      if (const auto release = driver_release_of(package))
        if (const auto origin = origin_of(package.version->text, *release))
          releases[*release].try_emplace(*origin, &package);
  for (const auto &[release, origins] : releases) {
    if (origins.size() < 2)
      continue;
    finding &found = result.add("packages.mixed-sources")
                         .saw("packages of release {} from {} and from {}", release.text(), origins.begin()->first,
                              origins.rbegin()->first)
                         .expected("packages from one repository");
    for (const auto &[origin, package] : origins)
      found.read_from(node.packages.source, fmt::format("{} {}", package->name, package->version->text));
    return;
  }
}

/// The installer's log may be years old. It counts where its driver is in use, and is not that of the packages.
bool is_in_use(const node_evidence &node, const driver_release &release) {
  const auto packaged = claim_of_packages(node, driver_part::userspace);
  if (packaged && packaged->release == release)
    return false;
  const auto loaded = claim_of_loaded_module(node), disk = claim_of_module_on_disk(node);
  return (loaded && loaded->release == release) || (disk && disk->release == release);
}

void judge_installer(const node_evidence &node, judgement &result) {
  const installed_package *packaged = nullptr;
  for (const installed_package &package : *node.packages)
    if (is_part_of_one_build(package) && classify_driver_package(package.name) != driver_part::firmware)
      packaged = &package;
  if (packaged == nullptr)
    return;
  const fact<std::string> &uninstaller = node.installer.uninstaller;
  const fact<installer_log> &log = node.installer.log;
  const bool is_log_of_driver = log.is_known() && log->is_complete && log->release && is_in_use(node, *log->release);
  if (!uninstaller.is_known() && !is_log_of_driver)
    return;
  finding &found =
      result.add("packages.mixed-sources")
          .saw("the driver was installed from NVIDIA's installer file, and {} is a package of it", packaged->name)
          .expected("a driver that was installed in one way")
          .read_from(node.packages.source, packaged->name);
  if (uninstaller.is_known())
    found.read_from(uninstaller.source, *uninstaller);
  if (log.is_known() && log->release)
    found.read_from(log.source, "installer version: " + log->release->text());
}

void judge_mixed_sources(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.packages.is_known() || node.platform.has_gpu_off_pci())
    return;
  judge_installer(node, result);
  if (result.findings().empty())
    judge_origins(node, result);
}

const check_registration registration{
    {"mixed_sources", "did the driver come to this node in one way?", false, judge_mixed_sources}};

} // namespace
} // namespace gpucert
