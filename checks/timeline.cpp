// SPDX-License-Identifier: Apache-2.0
#include "checks/timeline.h"

#include "node/evidence.h"

#include <fmt/format.h>

#include <cmath>

namespace gpucert {
namespace {

// The changes that a person still asks about after a fault; older ones are in the logs.
constexpr std::size_t most_package_entries = 10;

std::string describe_move(const package_transaction &transaction) {
  const std::optional<release_move> move = transaction.driver_move();
  if (!move)
    return "changed packages of the driver";
  return fmt::format("moved the driver {} -> {}", move->before ? move->before->text() : "(none)",
                     move->after ? move->after->text() : "(none)");
}

void add_package_changes(const node_evidence &node, std::vector<timeline_entry> &timeline) {
  for (const package_transaction &transaction : *node.history)
    if (transaction.changes_driver())
      timeline.push_back(
          {transaction.start ? format_local_time(transaction.start->local) : "time unknown",
           fmt::format("{} {}", transaction.command_line.value_or("a package run"), describe_move(transaction)),
           transaction.source});
  if (timeline.size() > most_package_entries)
    timeline.erase(timeline.begin(), timeline.end() - most_package_entries);
}

void add_mismatches(const node_evidence &node, std::vector<timeline_entry> &timeline) {
  for (const api_mismatch &mismatch : node.log->api_mismatches) {
    const std::string when = !mismatch.wall_time.empty()   ? mismatch.wall_time
                             : mismatch.seconds_since_boot ? format_since_boot(*mismatch.seconds_since_boot)
                                                           : "time unknown";
    timeline.push_back({when,
                        fmt::format("the module {} refused {} of release {}{}", mismatch.module.text(),
                                    mismatch.client_name.value_or("a client"), mismatch.client.text(),
                                    mismatch.count > 1 ? fmt::format(", {} times since", mismatch.count) : ""),
                        node.log.source});
  }
}

} // namespace

std::string format_since_boot(double seconds) {
  const auto whole = static_cast<long long>(std::floor(seconds));
  const long long days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
  return days > 0 ? fmt::format("{} d {:02}:{:02}:{:02} after boot", days, hours, minutes, whole % 60)
                  : fmt::format("{:02}:{:02}:{:02} after boot", hours, minutes, whole % 60);
}

std::vector<timeline_entry> build_timeline(const node_evidence &node) {
  std::vector<timeline_entry> timeline;
  if (node.history.is_known())
    add_package_changes(node, timeline);
  if (node.log.is_known())
    add_mismatches(node, timeline);
  return timeline;
}

} // namespace gpucert
