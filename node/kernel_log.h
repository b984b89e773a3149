// SPDX-License-Identifier: Apache-2.0
// The kernel log, whatever wrote it down: dmesg, the journal, syslog, /dev/kmsg.
#pragma once

#include "node/driver_version.h"
#include "node/kernel_statement.h"
#include "node/reading.h"
#include "node/xid_event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// NVRM's complaint that a client (libcuda, NVML, a GL program) and the loaded module are of different releases.
struct api_mismatch {
  driver_release client;
  kernel_module_version module;
  std::optional<std::string> client_name; // only modules from 575.51.02 on say who it was
  std::optional<int> client_pid;
  std::optional<double> seconds_since_boot; // of the first such event
  std::string wall_time;                    // of the first such event; empty where the log has none
  int count = 1;                            // events with the same client and module release
};

/// A GPU that another driver holds, as NVRM reports it.
struct other_driver_report {
  std::optional<std::string> address; // 0000:01:00.0
  std::optional<std::string> driver;  // "nouveau", "NovaCore"; absent where NVRM only says that it was not called
  std::string text;                   // the line
};

/// A message of the driver, or of a topic, that comes again and again.
struct repeated_message {
  std::string text; // of the first
  std::int64_t count = 0;
  std::int64_t most_in_one_second = 0; // 0 where the log has no times
  std::optional<double> seconds;       // from the first to the last, where the log has times
};

struct kernel_log {
  std::vector<api_mismatch> api_mismatches; // one per pair of releases and client name, in order of appearance
  std::vector<other_driver_report> other_drivers;
  /// Alike statements once, in order of their first appearance. A log storm may hold more kinds than are kept.
  std::vector<kernel_statement> statements;
  /// In order of appearance. Of many alike (GPU and number) the first few and the last are kept, each with its count.
  std::vector<xid_event> xids;
  /// How many messages of each topic there are, kept or not.
  std::map<kernel_topic, std::int64_t> messages;
  /// Those that came fifty times or more, most frequent first.
  std::vector<repeated_message> repeated;
};

/// Reads the log of the last boot in the text, in every layout of driver-stack logs. Linear in the length of the text,
/// and most lines cost next to nothing; what is kept is bounded.
kernel_log parse_kernel_log(std::string_view text);

/// The kernel log of this boot. Unknown where the kernel does not show it to this user (kernel.dmesg_restrict). A ring
/// buffer that has lost its beginning is replaced by the journal where the capture has it or commands may be run. Of a
/// log file of a tree the last 64 MiB are read.
fact<kernel_log> read_kernel_log(host &node, bool may_run_commands = false);

} // namespace gpucert
