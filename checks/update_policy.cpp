// SPDX-License-Identifier: Apache-2.0
// Check update_policy: can an automatic upgrade replace the driver, or a part of it, while the node is in service? The
// patterns of unattended-upgrades match at the start of a name only, so that "nvidia-" leaves libnvidia-* open, and a
// half of the driver moves.
#include "checks/check.h"
#include "checks/update_protection.h"
#include "node/evidence.h"
#include "node/name_pattern.h"

#include <algorithm>

namespace gpucert {
namespace {

struct coverage {
  std::vector<std::string> open; // names that nothing keeps
  std::vector<std::string> kept; // "NAME: by what"
};

std::string first_of(const std::vector<std::string> &names) {
  constexpr std::ptrdiff_t most_names = 12;
  const auto count = std::min(most_names, std::ssize(names));
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + count, ", "));
  if (std::ssize(names) > count)
    text += fmt::format(" and {} more", std::ssize(names) - count);
  return text;
}

/// A pattern that ends unattended-upgrades with an error: then there are no upgrades at all, security ones neither.
std::optional<std::string> why_it_stops(const std::string &pattern, const node_evidence &node) {
  const name_pattern exact(pattern), either(pattern, name_pattern::letters::either_case);
  if (!exact.is_valid())
    return "is no regular expression: it is matched as one, not as a glob";
  if (node.packages.is_known())
    for (const installed_package &package : *node.packages)
      if (package.has_files() && either.matches(package.name) && !exact.matches(package.name))
        return fmt::format(
            "matches {} only without regard to case, which apt and unattended-upgrades treat differently",
            package.name);
  return std::nullopt;
}

void judge_patterns(const node_evidence &node, judgement &result) {
  for (const apt_option &entry : node.update_policy.blacklist)
    if (const auto why = why_it_stops(entry.value, node))
      result.add("packages.blacklist-incomplete")
          .saw("the pattern \"{}\" {}", entry.value, *why)
          .expected("a regular expression in lower case, such as \".*nvidia.*\"")
          .read_from(entry.source, fmt::format("Package-Blacklist \"{}\"", entry.value))
          .note("unattended-upgrades ends with an error at such a pattern and installs nothing, security upgrades "
                "neither.");
}

void report(const coverage &found, const std::string &switched_on, const std::string &source, const node_evidence &node,
            judgement &result) {
  if (found.open.empty())
    return;
  const bool is_partly = !found.kept.empty();
  finding &one = result.add(is_partly ? "packages.blacklist-incomplete" : "packages.driver-not-held");
  one.saw("automatic upgrades may move {} of {} driver packages: {}", found.open.size(),
          found.open.size() + found.kept.size(), first_of(found.open))
      .expected("{}", is_partly ? "all packages of the driver kept together" : "the driver held where it is")
      .read_from(source.empty() ? "/etc/apt/apt.conf.d" : source, switched_on)
      .read_from(node.packages.source, first_of(found.open));
  if (is_partly)
    one.read_from("kept", first_of(found.kept));
  one.note("gpucert policy prints a configuration that keeps exactly the installed driver packages.");
}

void judge_apt(const node_evidence &node, judgement &result) {
  const update_policy &policy = node.update_policy;
  if (policy.apt_upgrades_itself == false)
    return;
  coverage found;
  for (const installed_package *package : installed_driver_packages(node)) {
    if (const std::string by = protection_of(*package, policy); !by.empty())
      found.kept.push_back(package->name + ": " + by);
    else if (is_in_reach(*package, policy))
      found.open.push_back(package->name);
  }
  // Without the switch in what was read, only a list that somebody wrote shows that upgrades are meant to run.
  if (policy.apt_upgrades_itself == true || (!policy.blacklist.empty() && !found.kept.empty()))
    report(found,
           policy.apt_upgrades_itself == true ? "APT::Periodic::Unattended-Upgrade is on"
                                              : "Unattended-Upgrade::Package-Blacklist is set",
           policy.apt_source.empty() && !policy.blacklist.empty() ? policy.blacklist[0].source : policy.apt_source,
           node, result);
}

void judge_dnf(const node_evidence &node, judgement &result) {
  const update_policy &policy = node.update_policy;
  if (policy.dnf_upgrades_itself != true)
    return;
  coverage found;
  for (const installed_package *package : installed_driver_packages(node)) {
    if (const std::string by = dnf_protection_of(*package, policy); !by.empty())
      found.kept.push_back(package->name + ": " + by);
    else
      found.open.push_back(package->name);
  }
  report(found, "apply_updates = yes", policy.dnf_source, node, result);
}

void judge_update_policy(const node_evidence &node, const expectations &, judgement &result) {
  judge_patterns(node, result);
  judge_apt(node, result);
  judge_dnf(node, result);
}

const check_registration registration{
    {"update_policy", "can an automatic upgrade replace the driver, or a part of it?", false, judge_update_policy}};

} // namespace
} // namespace gpucert
