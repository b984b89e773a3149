// SPDX-License-Identifier: Apache-2.0
// Check fabric_manager: has the node with NVSwitches a running Fabric Manager of the driver's release?
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

/// Nothing where nobody knows.
std::optional<bool> has_switches(const node_evidence &node) {
  const auto &switches = node.userspace.fabric.switches;
  return switches.is_known() ? std::optional(!switches->empty()) : std::nullopt;
}

std::optional<version_claim> claim_of_fabric_package(const node_evidence &node) {
  if (!node.packages.is_known())
    return std::nullopt;
  for (const installed_package &package : *node.packages)
    if (package.has_files() && package.name.find("fabric") != std::string::npos &&
        classify_driver_package(package.name) == driver_part::fabric_manager)
      if (const auto release = driver_release_of(package))
        return version_claim{*release, node.packages.source, package.name + " " + package.version->text, false};
  return std::nullopt;
}

/// False also where nobody knows.
bool is_running(const node_evidence &node) {
  return node.userspace.fabric.unit.is_known() && node.userspace.fabric.unit->is_active();
}

/// The log keeps messages of earlier drivers: those that speak of another module than the loaded one are past.
std::vector<reported_message> present_mismatches(const node_evidence &node) {
  auto messages = messages_of(node, {message_topic::fabric_version_mismatch});
  const auto loaded = claim_of_loaded_module(node);
  const auto package = claim_of_fabric_package(node);
  std::erase_if(messages, [&](const reported_message &message) {
    return (loaded && message.module && *message.module != loaded->release) ||
           (loaded && package && package->release == loaded->release && is_running(node));
  });
  return messages;
}

bool judge_version(const node_evidence &node, judgement &result) {
  if (has_switches(node) == false)
    return false;
  const auto messages = present_mismatches(node);
  const auto loaded = claim_of_loaded_module(node);
  const auto package = claim_of_fabric_package(node);
  const bool differs = loaded && package && !may_be_same(*loaded, *package);
  if (messages.empty() && !differs)
    return false;
  finding &found = messages.empty()
                       ? result.add("fabric.manager-version-mismatch")
                             .saw("Fabric Manager {}, module {}", package->release.text(), loaded->release.text())
                       : add_reported(result, "fabric.manager-version-mismatch", messages);
  found.expected("Fabric Manager of exactly the module's release");
  if (differs)
    found.read_from(package->source, package->text).read_from(loaded->source, loaded->text);
  return true;
}

void judge_running(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::fabric_not_ready});
  const auto &unit = node.userspace.fabric.unit;
  const bool is_idle =
      has_switches(node) == true && unit.is_known() && !unit->is_active() && node.modules.has("nvidia") != false;
  if (messages.empty() && !is_idle)
    return;
  finding &found = messages.empty() ? result.add("fabric.manager-not-running")
                                          .saw("nvidia-fabricmanager is {}",
                                               unit->is_installed ? unit->active : std::string("not installed"))
                                    : add_reported(result, "fabric.manager-not-running", messages);
  found.expected("a running Fabric Manager, which sets up the NVSwitches");
  if (unit.is_known())
    found.read_from(unit.source, unit->text);
}

void judge_fabric_manager(const node_evidence &node, const expectations &, judgement &result) {
  const auto idle = messages_of(node, {message_topic::fabric_nothing_to_do});
  const auto &unit = node.userspace.fabric.unit;
  const bool has_failed = unit.is_known() && unit->active == "failed";
  if (has_switches(node) != true && (!idle.empty() || (has_failed && has_switches(node) == false))) {
    finding &found = idle.empty() ? result.add("fabric.not-needed").saw("the unit failed, and there is no NVSwitch")
                                  : add_reported(result, "fabric.not-needed", idle);
    found.expected("no Fabric Manager on a node without NVSwitches");
    if (idle.empty())
      found.read_from(unit.source, unit->text);
    return;
  }
  judge_version(node, result);
  judge_running(node, result);
}

const check_registration registration{
    {"fabric_manager", "does Fabric Manager run, and fit the driver?", false, judge_fabric_manager}};

} // namespace
} // namespace gpucert
