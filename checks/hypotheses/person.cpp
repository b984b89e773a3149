// SPDX-License-Identifier: Apache-2.0
// Hypothesis person: did somebody change the driver by hand? The package log says who started its runs, and the record
// of log-ins whether anybody was there.
#include "checks/hypothesis.h"
#include "checks/timeline.h"
#include "node/evidence.h"

#include <fmt/format.h>

namespace gpucert {
namespace {

// Somebody who starts an upgrade and logs out; a timer starts within its own minute.
constexpr std::chrono::hours before_a_change{1};

const package_transaction *last_driver_change(const node_evidence &node) {
  const package_transaction *last = nullptr;
  for (const package_transaction &transaction : *node.history)
    if (transaction.changes_driver())
      last = &transaction;
  return last;
}

evidence_item evidence_of(const package_transaction &change) {
  return {change.source, fmt::format("{} {}", change.start ? change.start->text : "at unknown time",
                                     change.command_line.value_or("(no command line)"))};
}

/// The package log names a machine; a log-in at that hour would still leave a doubt.
ruling judge_unattended(const node_evidence &node, const package_transaction &change) {
  ruling result{ruling_word::ruled_out, "a timer changed the driver", {evidence_of(change)}};
  if (!change.start || !node.sessions.is_known())
    return result;
  const auto start = change.start->local;
  const auto logins = node.sessions->logins_between(start - before_a_change, change.end ? change.end->local : start);
  if (!logins)
    return result;
  result.evidence.push_back({node.sessions.source, fmt::format("{} log-in(s) in the hour before the change", *logins)});
  if (*logins == 0) {
    result.why += ", and nobody was logged in";
  } else {
    result.word = ruling_word::not_ruled_out;
    result.why += ", but somebody was logged in";
  }
  return result;
}

/// No package run touched the driver: only log-ins say whether anybody could have.
ruling judge_log_ins(const node_evidence &node) {
  ruling result{ruling_word::unknown, "no package run touched the driver, and log-ins are not on record", {}};
  result.evidence.push_back({node.history.source, "no change of driver packages"});
  const auto boot = node.sessions.is_known() ? node.sessions->boot() : std::nullopt;
  const auto logins =
      boot ? node.sessions->logins_between(*boot, std::chrono::local_seconds::max()) : std::optional<int>();
  if (!logins)
    return result;
  result.evidence.push_back({node.sessions.source, fmt::format("{} log-in(s) since boot", *logins)});
  result.word = *logins == 0 ? ruling_word::ruled_out : ruling_word::not_ruled_out;
  result.why = *logins == 0 ? "no package run touched the driver, and nobody has logged in since boot"
                            : "no package run touched the driver, but people have logged in since boot";
  return result;
}

ruling judge_person(const node_evidence &node, const std::vector<std::string> &) {
  if (!node.history.is_known())
    return {ruling_word::unknown, "the package log could not be read", {}};
  const package_transaction *change = last_driver_change(node);
  if (change == nullptr)
    return judge_log_ins(node);
  if (change->is_unattended())
    return judge_unattended(node, *change);
  if (change->is_requested_by_person)
    return {ruling_word::not_ruled_out, "a person started the last change of the driver", {evidence_of(*change)}};
  return {ruling_word::not_ruled_out,
          "the last change of the driver was not started by a timer that is known here",
          {evidence_of(*change)}};
}

const hypothesis_registration registration{{"person", "did somebody change it by hand?", judge_person}};

} // namespace
} // namespace gpucert
