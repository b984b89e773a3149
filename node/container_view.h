// SPDX-License-Identifier: Apache-2.0
// What a capture holds of the inside of a container that has lost its GPU or its libraries.
#pragma once

#include "node/library_files.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// One rule of the devices controller: "c 195:* rwm", "a *:* rwm".
struct device_rule {
  char kind = 'c';                      // 'a', 'b', 'c'
  std::optional<unsigned> major, minor; // absent: any
  std::string access;
};
std::vector<device_rule> parse_device_rules(std::string_view text);

/// True when some rule lets a program open /dev/nvidiactl (major 195) for reading and writing.
bool allows_gpu(const std::vector<device_rule> &rules);

/// `ls -l`, files with their sizes; links have none.
std::vector<library_file> parse_ls(std::string_view text);

struct container_view {
  fact<std::vector<device_rule>> rules;  // devices.list of control groups, version 1
  fact<std::vector<library_file>> files; // of its library folder
};
container_view read_container_view(host &node);

} // namespace gpucert
