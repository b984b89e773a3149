// SPDX-License-Identifier: Apache-2.0
#include "checks/update_protection.h"

#include "node/driver_package.h"
#include "node/evidence.h"
#include "node/name_pattern.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

bool names_package(const std::string &entry, const std::string &name) {
  if (entry.size() > 2 && entry.starts_with('/') && entry.ends_with('/')) {
    // apt searches anywhere in the name, in either case.
    return name_pattern(".*(" + entry.substr(1, entry.size() - 2) + ")", name_pattern::letters::either_case)
        .matches(name);
  }
  return matches_glob(entry.substr(0, entry.find(':')), name);
}

/// apt_preferences(5): a negative priority forbids, 1000 and more keeps even an older version, and what is below the
/// 100 of an installed package never replaces it.
bool is_kept_by(const apt_pin &pin, const installed_package &package) {
  const auto is_meant = [&](const std::string &entry) { return names_package(entry, package.name); };
  if (std::none_of(pin.packages.begin(), pin.packages.end(), is_meant))
    return false;
  constexpr int installed_priority = 100, keeping_priority = 1000;
  const bool is_version = pin.pin.starts_with("version");
  if (is_version && pin.priority >= keeping_priority) {
    // "version 580.*" lets the branch move on; only a pin to what is installed keeps it.
    const auto release = package.version ? package.version->release() : std::nullopt;
    return release && pin.pin.find(release->text()) != std::string::npos;
  }
  const bool names_all = std::find(pin.packages.begin(), pin.packages.end(), "*") != pin.packages.end();
  if (names_all && !contains_ignoring_case(pin.pin, "nvidia") && !contains_ignoring_case(pin.pin, "cuda"))
    return false; // "*" of another archive
  return pin.priority < installed_priority && pin.priority != 0;
}

bool is_built_by_a_distribution(std::string_view version) {
  for (const std::string_view mark : {"ubuntu0.", "ubuntu0~", "~deb", "+deb", "pop", "~bpo"})
    if (version.find(mark) != version.npos)
      return true;
  return false;
}

std::string escape_pattern(std::string_view name) {
  std::string escaped;
  for (const char letter : name) {
    if (letter == '.' || letter == '+')
      escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

} // namespace

namespace {

/// What every package manager allows in a name. Names go into configurations and commands that people copy, and a
/// database that somebody tampered with must not put anything else there.
bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '+' || letter == '-' || letter == '.' || letter == '_';
  });
}

} // namespace

std::vector<const installed_package *> installed_driver_packages(const node_evidence &node) {
  std::vector<const installed_package *> found;
  if (node.packages.is_known())
    for (const installed_package &package : *node.packages)
      if (package.has_files() && !package.is_name_cut && is_plain_name(package.name) &&
          classify_driver_package(package.name))
        found.push_back(&package);
  return found;
}

std::string protection_of(const installed_package &package, const update_policy &policy) {
  if (package.is_held)
    return "hold";
  for (const apt_option &entry : policy.blacklist)
    if (name_pattern(entry.value).matches(package.name))
      return fmt::format("blacklist \"{}\"", entry.value);
  for (const apt_pin &pin : policy.pins)
    if (is_kept_by(pin, package))
      return fmt::format("pin {} ({})", pin.pin, pin.priority);
  if (policy.is_whitelist_strict &&
      std::none_of(policy.whitelist.begin(), policy.whitelist.end(),
                   [&](const apt_option &entry) { return name_pattern(entry.value).matches(package.name); }))
    return "strict whitelist";
  return {};
}

std::string dnf_protection_of(const installed_package &package, const update_policy &policy) {
  for (const std::string &glob : policy.dnf_excludes)
    if (matches_glob(glob, package.name))
      return fmt::format("excludepkgs {}", glob);
  for (const std::string &lock : policy.dnf_locks)
    if (matches_glob(lock, package.name))
      return fmt::format("versionlock {}", lock);
  return {};
}

bool is_in_reach(const installed_package &package, const update_policy &policy) {
  if (policy.origins.empty()) // not in the capture; unattended-upgrades has distribution archives by default
    return true;
  const bool takes_nvidia = std::any_of(policy.origins.begin(), policy.origins.end(), [](const apt_option &origin) {
    return contains_ignoring_case(origin.value, "nvidia") || origin.value == "origin=*" || origin.value == "*:*";
  });
  return takes_nvidia || (package.version && is_built_by_a_distribution(package.version->text));
}

std::string write_update_policy(const std::vector<const installed_package *> &packages, policy_format format) {
  std::string text;
  switch (format) {
  case policy_format::apt_configuration:
    text = "// Driver packages that unattended-upgrades must leave alone: /etc/apt/apt.conf.d/52gpucert-driver\n"
           "Unattended-Upgrade::Package-Blacklist {\n";
    for (const installed_package *package : packages)
      text += fmt::format("  \"{}$\";\n", escape_pattern(package->name));
    return text + "};\n";
  case policy_format::apt_hold:
    text = "apt-mark hold";
    for (const installed_package *package : packages)
      text += " " + package->name;
    return text + "\n";
  case policy_format::apt_pins:
    text = "# Driver packages stay at these versions: /etc/apt/preferences.d/gpucert-driver\n";
    for (const installed_package *package : packages)
      if (package->version)
        text +=
            fmt::format("\nPackage: {}\nPin: version {}\nPin-Priority: 1001\n", package->name, package->version->text);
    return text;
  case policy_format::dnf:
    break;
  }
  text = "# Driver packages that dnf must leave alone: section [main] of /etc/dnf/dnf.conf\nexcludepkgs=";
  for (std::size_t index = 0; index < packages.size(); ++index)
    text += (index == 0 ? "" : ",") + packages[index]->name;
  return text + "\n";
}

} // namespace gpucert
