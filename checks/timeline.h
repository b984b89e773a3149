// SPDX-License-Identifier: Apache-2.0
// What happened to the driver on this node, in order, from package logs and the kernel log.
#pragma once

#include <string>
#include <vector>

namespace gpucert {

struct node_evidence;

struct timeline_entry {
  std::string when; // local time as the log states it, or time since boot; the logs share no clock
  std::string what;
  std::string source;
};

/// Changes of the driver's packages, then what the kernel said of the driver since boot.
std::vector<timeline_entry> build_timeline(const node_evidence &node);

/// "21 d 08:31:52 after boot".
std::string format_since_boot(double seconds);

} // namespace gpucert
