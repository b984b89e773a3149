// SPDX-License-Identifier: Apache-2.0
// Processes that have the driver's libraries mapped: those that started before an upgrade keep the old ones.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct library_user {
  int pid = 0;
  std::string command;                   // its comm; empty where nobody knows
  std::string path;                      // of the first such library
  std::optional<driver_release> release; // of the file name
  bool is_deleted = false;               // the file is no longer on the disk
};

struct library_users {
  std::vector<library_user> list;
  std::size_t unreadable = 0; // processes of other users, without root
  std::size_t not_asked = 0;  // the time for this ran out
};

/// The lines of /proc/PID/maps that map libcuda, NVML or another library of the driver: what a capture keeps.
std::string driver_lines_of_maps(std::string_view maps);
/// Nothing when no library of the driver is mapped.
std::optional<library_user> parse_library_user(int pid, std::string_view maps);

/// Live: one look at each process, the name only of those that matter. Of a capture: those that it holds.
fact<library_users> read_library_users(host &node);

} // namespace gpucert
