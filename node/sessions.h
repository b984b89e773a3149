// SPDX-License-Identifier: Apache-2.0
// When the node was booted, and when people were logged in: times and counts, never names. A change of the driver
// while nobody was there was made by a machine.
#pragma once

#include "node/reading.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// Times are the node's local ones, as in its package logs.
struct session_history {
  struct login {
    std::chrono::local_seconds start;
    std::optional<std::chrono::local_seconds> end; // absent: still logged in, or nobody knows
  };

  std::vector<std::chrono::local_seconds> boots;   // in order of time
  std::vector<login> logins;                       // in order of time
  std::optional<std::chrono::local_seconds> begin; // since when log-ins are on record

  /// Of the boot that is running.
  std::optional<std::chrono::local_seconds> boot() const {
    return boots.empty() ? std::nullopt : std::optional(boots.back());
  }
  /// How many log-ins lie in, or reach into, this span. Absent where the record does not go back that far.
  std::optional<int> logins_between(std::chrono::local_seconds from, std::chrono::local_seconds to) const;
};

/// Parses the output of `last`, `last -F` and `last --time-format iso`. Dates without a year are taken near to `near`.
session_history parse_last(std::string_view text, std::chrono::local_seconds near);

/// What `last --time-format iso` would print of a wtmp file (utmp(5), in the layout of this machine), with every user
/// named "user" and no terminals or addresses. `boot`: of the running system, where known.
std::string describe_wtmp(std::string_view bytes, std::optional<std::chrono::sys_seconds> boot);

/// `near`: a time of the node's logs, for dates without a year.
fact<session_history> read_sessions(host &node, std::chrono::local_seconds near);

} // namespace gpucert
