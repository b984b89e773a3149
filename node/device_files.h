// SPDX-License-Identifier: Apache-2.0
// The driver's files in /dev.
#pragma once

#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct device_file {
  std::string path; // /dev/nvidia0
  // Absent in captures that list names only.
  std::optional<unsigned> major, minor;
  std::optional<unsigned> mode; // permission bits
};

/// Parses a capture's dev.list: `PATH` or `PATH c MAJOR:MINOR MODE` per line, MODE octal.
std::vector<device_file> parse_device_list(std::string_view text);
std::string format_device_list(const std::vector<device_file> &files);

/// The files of the NVIDIA driver and of WSL2 (/dev/dxg).
fact<std::vector<device_file>> read_device_files(host &node);

/// True when the list holds this path.
bool has_device_file(const std::vector<device_file> &files, std::string_view path);

} // namespace gpucert
