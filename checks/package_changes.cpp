// SPDX-License-Identifier: Apache-2.0
// Check package_changes: did something change the driver on disk that the module in memory has not followed yet?
//
// A change that was followed by a load of the new module is history and no finding: every node has some.
#include "checks/check.h"
#include "checks/version_claims.h"

namespace gpucert {
namespace {

/// Whether the module in memory is of another release than the change left behind. Without a known module, a reported
/// mismatch says so.
bool is_not_followed(const node_evidence &node, const release_move &move) {
  if (const auto loaded = claim_of_loaded_module(node))
    return !move.after || loaded->release != *move.after;
  return reported_mismatch(node).has_value();
}

std::string describe(const package_transaction &transaction, const release_move &move) {
  return fmt::format("{}: {}: driver {} -> {}", transaction.start ? transaction.start->text : "time unknown",
                     transaction.command_line.value_or("(no command line)"), move.before ? move.before->text() : "none",
                     move.after ? move.after->text() : "none");
}

void judge_package_changes(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci())
    return; // the module is Windows', or counts by the release of Jetson Linux: no package says what it should be
  if (!node.history.is_known())
    return result.cannot_tell("package history", node.history);
  // Only the latest change of the driver can be the one that is not followed.
  const package_transaction *latest = nullptr;
  for (const package_transaction &transaction : *node.history)
    if (transaction.driver_move())
      latest = &transaction;
  if (latest == nullptr || !latest->is_unattended() || !is_not_followed(node, *latest->driver_move()))
    return;
  result.add("packages.unattended-upgrade-changed-driver")
      .saw("{}", describe(*latest, *latest->driver_move()))
      .expected("driver packages that only people upgrade")
      .read_from(latest->source, describe(*latest, *latest->driver_move()));
}

const check_registration registration{
    {"package_changes", "did an automatic upgrade change the driver?", false, judge_package_changes}};

} // namespace
} // namespace gpucert
