// SPDX-License-Identifier: Apache-2.0
#include "checks/timeline.h"

#include "checks/version_claims.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpucert {
namespace {

// The changes that a person still asks about after a fault; older ones are in the logs.
constexpr std::size_t most_package_entries = 10;
// A node that boots in a loop must not push everything else off the page.
constexpr std::size_t most_boots = 5;

std::string describe_move(const package_transaction &transaction) {
  const std::optional<release_move> move = transaction.driver_move();
  if (!move)
    return "changed packages of the driver";
  return fmt::format("moved the driver {} -> {}", move->before ? move->before->text() : "(none)",
                     move->after ? move->after->text() : "(none)");
}

timeline_entry entry_of(const package_transaction &transaction) {
  return {transaction.start ? format_local_time(transaction.start->local) : "time unknown",
          fmt::format("{} {}", transaction.command_line.value_or("a package run"), describe_move(transaction)),
          transaction.source, transaction.start ? std::optional(transaction.start->local) : std::nullopt};
}

timeline_entry entry_of(const api_mismatch &mismatch, const node_evidence &node) {
  const auto at = local_time_of_kernel(node, mismatch.wall_time, mismatch.seconds_since_boot);
  std::string when = "time unknown";
  if (at)
    when = format_local_time(*at);
  else if (!mismatch.wall_time.empty())
    when = mismatch.wall_time;
  else if (mismatch.seconds_since_boot)
    when = format_since_boot(*mismatch.seconds_since_boot);
  return {std::move(when),
          fmt::format("the module {} refused {} of release {}{}", mismatch.module.text(),
                      mismatch.client_name.value_or("a client"), mismatch.client.text(),
                      mismatch.count > 1 ? fmt::format(", {} times since", mismatch.count) : ""),
          node.log.source, at};
}

void add_package_changes(const node_evidence &node, std::vector<timeline_entry> &timeline) {
  for (const package_transaction &transaction : *node.history)
    if (transaction.changes_driver())
      timeline.push_back(entry_of(transaction));
  if (timeline.size() > most_package_entries)
    timeline.erase(timeline.begin(), timeline.end() - most_package_entries);
}

/// Boots since the first of the package changes shown; the running one always.
void add_boots(const node_evidence &node, std::vector<timeline_entry> &timeline) {
  const auto &boots = node.sessions->boots;
  using moment = std::decay_t<decltype(boots.front())>;
  const moment since = timeline.empty() ? moment::max() : timeline.front().at.value_or(moment::max());
  for (std::size_t index = boots.size() - std::min(boots.size(), most_boots); index < boots.size(); ++index)
    if (index + 1 == boots.size() || boots[index] >= since)
      timeline.push_back({format_local_time(boots[index]), "the node was booted", node.sessions.source, boots[index]});
}

/// The run after which the libraries had the release that they have now; where that release is not known, the last one
/// that moved the driver.
const package_transaction *find_birth(const node_evidence &node) {
  const auto userspace = claim_of_userspace(node);
  const package_transaction *last = nullptr, *fitting = nullptr;
  for (const package_transaction &transaction : *node.history) {
    const auto move = transaction.changes_driver() ? transaction.driver_move() : std::nullopt;
    if (!move || !move->after)
      continue;
    last = &transaction;
    if (userspace && move->after->text() == userspace->release.text())
      fitting = &transaction;
  }
  return userspace ? fitting : last;
}

std::optional<timeline_entry> find_first_hurt(const node_evidence &node,
                                              const std::optional<std::chrono::local_seconds> &born) {
  std::optional<timeline_entry> first;
  if (node.log.is_known())
    for (const api_mismatch &mismatch : node.log->api_mismatches) {
      timeline_entry entry = entry_of(mismatch, node);
      const bool is_of_this_fault = !entry.at || !born || *entry.at >= *born;
      const bool is_earlier = !first || (entry.at && (!first->at || *entry.at < *first->at));
      if (is_of_this_fault && is_earlier)
        first = std::move(entry);
    }
  return first;
}

} // namespace

std::optional<std::chrono::local_seconds> local_time_of_kernel(const node_evidence &node, std::string_view wall_time,
                                                               std::optional<double> seconds_since_boot) {
  const auto boot = node.sessions.is_known() ? node.sessions->boot() : std::nullopt;
  if (boot && seconds_since_boot)
    return *boot + std::chrono::seconds(static_cast<long long>(*seconds_since_boot));
  if (wall_time.empty())
    return std::nullopt;
  if (const auto time = parse_log_time(wall_time))
    return time->local;
  std::optional<std::chrono::local_seconds> near = boot;
  if (node.history.is_known() && !node.history->empty() && node.history->back().start)
    near = node.history->back().start->local;
  return near ? find_unix_date(wall_time, *near) : std::nullopt;
}

std::string format_since_boot(double seconds) {
  const auto whole = static_cast<long long>(std::floor(seconds));
  const long long days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
  return days > 0 ? fmt::format("{} d {:02}:{:02}:{:02} after boot", days, hours, minutes, whole % 60)
                  : fmt::format("{:02}:{:02}:{:02} after boot", hours, minutes, whole % 60);
}

std::string format_span(std::chrono::seconds span) {
  const long long seconds = span.count();
  const long long days = seconds / 86400, hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
  if (days > 0)
    return fmt::format("{} d {} h", days, hours);
  if (hours > 0)
    return fmt::format("{} h {} min", hours, minutes);
  return minutes > 0 ? fmt::format("{} min {} s", minutes, seconds % 60) : fmt::format("{} s", seconds);
}

std::vector<timeline_entry> build_timeline(const node_evidence &node) {
  std::vector<timeline_entry> timeline;
  if (node.history.is_known())
    add_package_changes(node, timeline);
  if (node.sessions.is_known())
    add_boots(node, timeline);
  if (node.log.is_known())
    for (const api_mismatch &mismatch : node.log->api_mismatches)
      timeline.push_back(entry_of(mismatch, node));
  std::stable_sort(timeline.begin(), timeline.end(),
                   [](const timeline_entry &a, const timeline_entry &b) { return a.at && (!b.at || *a.at < *b.at); });
  return timeline;
}

std::string fault_history::summary() const {
  if (!first_hurt)
    return fmt::format("born {}; no log shows that anything has failed yet", born.when);
  if (!hidden_for)
    return fmt::format("born {}, first hurt {}", born.when, first_hurt->when);
  return fmt::format("born {}, first hurt {}: it lay hidden for {}", born.when, first_hurt->when,
                     format_span(*hidden_for));
}

std::optional<fault_history> trace_version_fault(const node_evidence &node) {
  const package_transaction *birth = node.history.is_known() ? find_birth(node) : nullptr;
  if (birth == nullptr)
    return std::nullopt;
  fault_history history{entry_of(*birth), {}, {}};
  history.first_hurt = find_first_hurt(node, history.born.at);
  if (history.first_hurt && history.first_hurt->at && history.born.at)
    history.hidden_for = *history.first_hurt->at - *history.born.at;
  return history;
}

} // namespace gpucert
