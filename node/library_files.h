// SPDX-License-Identifier: Apache-2.0
// Files of the driver's libraries that lie on the disk, whether or not the loader's cache names them.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct library_file {
  std::string path;
  std::optional<std::uint64_t> size_bytes;
  std::optional<driver_release> release; // of the file name

  std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

/// "SIZE PATH" per line, as find -printf "%s %p\n" writes it; a line with a path alone is taken too.
std::vector<library_file> parse_library_files(std::string_view text);

/// libcuda and NVML in the folders where the loader's cache finds them, and in `more_folders`. Links are left out.
fact<std::vector<library_file>> read_library_files(host &node, const std::vector<std::string> &folders);

} // namespace gpucert
