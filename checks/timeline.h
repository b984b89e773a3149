// SPDX-License-Identifier: Apache-2.0
// What happened to the driver on this node, in order: boots, package runs, and what the kernel said.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct node_evidence;

struct timeline_entry {
  std::string when; // the node's local time, else as the log states it, else time since boot
  std::string what;
  std::string source;
  std::optional<std::chrono::local_seconds> at; // absent where the log's clock cannot be brought to the others'
};

/// In order of time; entries whose time cannot be compared stand last, in the order of their logs. The kernel's stamps
/// count from the boot, whose time the record of log-ins knows.
std::vector<timeline_entry> build_timeline(const node_evidence &node);

/// When the driver's parts parted, when that first hurt somebody, and for how long it lay hidden.
struct fault_history {
  timeline_entry born;
  std::optional<timeline_entry> first_hurt; // absent: no log shows that anything has failed yet
  std::optional<std::chrono::seconds> hidden_for;

  /// For a person: "lay hidden for 7 h 21 min".
  std::string summary() const;
};

/// The history of a fault in which versions part: the package run after which they differed, and the first call that
/// the module refused. Nothing where no log shows the run.
std::optional<fault_history> trace_version_fault(const node_evidence &node);

/// The local time of something in the kernel log, by its own clock or by the time of the boot.
std::optional<std::chrono::local_seconds> local_time_of_kernel(const node_evidence &node, std::string_view wall_time,
                                                               std::optional<double> seconds_since_boot);

/// "21 d 08:31:52 after boot".
std::string format_since_boot(double seconds);

/// "7 h 21 min", "3 d 4 h", "12 s": two units at most.
std::string format_span(std::chrono::seconds span);

} // namespace gpucert
