// SPDX-License-Identifier: Apache-2.0
#include "checks/way_back.h"

#include "checks/module_claims.h"
#include "node/driver_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

// Faults that come with a change of the driver, and go with it.
constexpr std::array<std::string_view, 13> ends_with_old_driver{
    "driver.module-older-than-userspace", "driver.module-newer-than-userspace",
    "driver.module-on-disk-stale",        "driver.module-in-initramfs-stale",
    "userspace.version-mismatch",         "packages.module-source-older",
    "packages.half-configured",           "driver.dkms-build-failed",
    "driver.prebuilt-module-lags-kernel", "driver.no-module-for-running-kernel",
    "driver.module-flavour-unsupported",  "driver.gpu-unsupported-by-release",
    "driver.gsp-firmware-mismatch",
};

enum class package_tool { apt, dnf, zypper, pacman };

package_tool tool_of(std::string_view log) {
  if (log.find("pacman") != log.npos)
    return package_tool::pacman;
  if (log.find("zypp") != log.npos)
    return package_tool::zypper;
  return log.find("dnf") != log.npos || log.find("yum") != log.npos ? package_tool::dnf : package_tool::apt;
}

/// The last run that moved the driver from one release to another.
const package_transaction *find_run(const node_evidence &node) {
  const package_transaction *last = nullptr;
  if (node.history.is_known())
    for (const package_transaction &transaction : *node.history)
      if (transaction.changes_driver() && transaction.driver_move())
        last = &transaction;
  return last;
}

/// Files of RPM have no epoch in their names, and logs of dnf do.
std::string_view without_epoch(std::string_view version) {
  const auto colon = version.find(':');
  return colon == version.npos ? version : version.substr(colon + 1);
}

std::optional<std::string> find_package(const fact<std::vector<obtainable_package>> &list, std::string_view name,
                                        std::string_view version) {
  if (list.is_known())
    for (const obtainable_package &package : *list)
      if (package.name == name && without_epoch(package.version.text) == without_epoch(version))
        return package.where;
  return std::nullopt;
}

/// "libnvidia-compute-535", with the architecture where it is not that of the machine.
std::string name_for_tool(const package_change &change) {
  return change.architecture == "i386" || change.architecture == "i686" ? change.name + ":" + *change.architecture
                                                                        : change.name;
}

struct package_lists {
  std::vector<returning_package> returning;
  std::vector<std::string> leaving; // new names, which the old ones replace
};

package_lists packages_of(const package_transaction &run, const node_evidence &node) {
  package_lists lists;
  for (const package_change &change : run.changes) {
    if (!classify_driver_package(change.name) || change.action == package_action::reinstall)
      continue;
    if (change.before && change.before != change.after) {
      auto where = find_package(node.old_packages.kept, change.name, change.before->text);
      if (!where)
        where = find_package(node.old_packages.offered, change.name, change.before->text);
      lists.returning.push_back({name_for_tool(change), change.before->text, std::move(where)});
    } else if (!change.before && change.after && change.action == package_action::install) {
      lists.leaving.push_back(name_for_tool(change));
    }
  }
  return lists;
}

void judge_obtainable(way_back &way, const node_evidence &node, package_tool tool) {
  const auto missing = std::find_if(way.packages.begin(), way.packages.end(),
                                    [](const returning_package &package) { return !package.where; });
  if (missing == way.packages.end()) {
    way.is_obtainable = true;
    way.obtainable_because = "all packages are in a cache or offered by a repository";
  } else if (tool == package_tool::apt && node.old_packages.kept.is_known() && node.old_packages.offered.is_known()) {
    way.is_obtainable = false;
    way.obtainable_because =
        fmt::format("{} {} is in no cache, and no repository offers it", missing->name, missing->version);
  } else {
    const auto &unknown = node.old_packages.kept.is_unknown() ? node.old_packages.kept : node.old_packages.offered;
    way.obtainable_because =
        fmt::format("{} {} is in no cache that is known, and what the repositories offer is not known ({}: {})",
                    missing->name, missing->version, unknown.source, unknown.problem.value_or("the node has none"));
  }
}

std::string join(std::string command, const std::vector<returning_package> &packages, std::string_view sign) {
  for (const returning_package &package : packages)
    command += fmt::format(" {}{}{}", package.name, sign, package.version);
  return command;
}

std::vector<std::string> commands_of(const package_lists &lists, package_tool tool) {
  std::string names, files;
  bool has_all_files = true;
  for (const returning_package &package : lists.returning) {
    names += " " + package.name;
    files += " " + package.where.value_or("");
    has_all_files = has_all_files && package.where;
  }
  switch (tool) {
  case package_tool::apt: {
    std::string command = join("apt-get install --allow-downgrades", lists.returning, "=");
    for (const std::string &name : lists.leaving)
      command += " " + name + "-";
    return {command, "apt-mark hold" + names};
  }
  case package_tool::dnf:
    return {join("dnf downgrade", lists.returning, "-"), "dnf versionlock add" + names};
  case package_tool::zypper:
    return {join("zypper install --oldpackage", lists.returning, "="), "zypper addlock" + names};
  case package_tool::pacman: // it has no other place for old packages than the cache
    return has_all_files ? std::vector<std::string>{"pacman -U" + files} : std::vector<std::string>{};
  }
  return {};
}

/// A kernel on the disk that has the module of this release; the next one first.
std::optional<std::string> kernel_with_module(const node_evidence &node, const driver_release &release) {
  std::vector<std::string> kernels;
  if (node.on_disk.next)
    kernels.push_back(node.on_disk.next->release);
  if (const auto running = running_kernel(node))
    kernels.push_back(*running);
  if (node.on_disk.kernels.module_folders.is_known())
    kernels.insert(kernels.end(), node.on_disk.kernels.module_folders->begin(),
                   node.on_disk.kernels.module_folders->end());
  for (const std::string &kernel : kernels)
    if (const auto module = claim_of_module_for(node, kernel); module && module->exists && module->release == release)
      return kernel;
  return std::nullopt;
}

std::string foresee(const node_evidence &node, const package_transaction &run, const driver_release &release) {
  if (run.touches(driver_part::module_source))
    return fmt::format("The package of the sources builds module {} for the installed kernels: see dkms status (or "
                       "akmods) before a reboot.",
                       release.text());
  if (run.touches(driver_part::kernel_module))
    return fmt::format("The module's packages bring {} for their kernels: see modinfo -F version nvidia before a "
                       "reboot.",
                       release.text());
  if (const auto kernel = kernel_with_module(node, release))
    return fmt::format("A reboot into {} loads module {}, which is still on the disk.", *kernel, release.text());
  return fmt::format("No kernel on this node is known to have module {}: install one before a reboot.", release.text());
}

} // namespace

bool may_go_back_from(std::string_view root_cause) {
  return std::find(ends_with_old_driver.begin(), ends_with_old_driver.end(), root_cause) != ends_with_old_driver.end();
}

std::optional<way_back> find_way_back(const node_evidence &node) {
  const package_transaction *run = find_run(node);
  const std::optional<release_move> move = run == nullptr ? std::nullopt : run->driver_move();
  if (!move || !move->before)
    return std::nullopt;
  const auto userspace = claim_of_userspace(node);
  if (userspace && move->after && !may_be_same(*userspace, {*move->after, {}, {}}))
    return std::nullopt; // something moved it since, and no log says what
  const package_lists lists = packages_of(*run, node);
  if (lists.returning.empty())
    return std::nullopt;
  const package_tool tool = tool_of(run->source);
  way_back way;
  way.release = move->before->text();
  way.because = fmt::format("it was there before {} ({}) replaced it{}", run->command_line.value_or("a package run"),
                            run->source, run->start ? " at " + run->start->text : "");
  way.packages = lists.returning;
  judge_obtainable(way, node, tool);
  way.commands = commands_of(lists, tool);
  if (const auto loaded = claim_of_loaded_module(node))
    way.needs_reboot = loaded->release != *move->before;
  way.next_boot = foresee(node, *run, *move->before);
  return way;
}

} // namespace gpucert
