// SPDX-License-Identifier: Apache-2.0
// The errors that GPUs (Xid) and NVSwitches (SXid) report in the kernel log.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

struct xid_event {
  int xid = 0;
  std::optional<std::string> address;       // 0000:01:00.0
  std::optional<double> seconds_since_boot; // where the log has it
  std::string wall_time;                    // as written; empty where the log has none
  std::optional<int> pid;
  std::optional<std::string> name; // of the process that was at work: not always the culprit
  std::string text;                // the message, from "Xid" on
  std::string body;                // what follows number, pid and name
  bool is_sxid = false;            // of an NVSwitch; its numbers are others
  std::optional<bool> is_fatal;    // where the message says "Fatal" or "Nonfatal"
  std::optional<int> caused_by;    // "caused by previous Xid 149"
  int count = 1;                   // alike events that this one stands for
};

/// Reads the line of any driver generation: "NVRM: Xid (PCI:0000:01:00): 79, pid=1, name=x, ...", without pid or name,
/// without "PCI:", with MIG instances; "nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, ...".
std::optional<xid_event> parse_xid(std::string_view message);

} // namespace gpucert
