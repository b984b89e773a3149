// SPDX-License-Identifier: Apache-2.0
// The driver's user-space libraries that a new process would load, with the version in their resolved file names.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// One library under one path.
struct driver_library {
  std::string soname;                    // libcuda.so.1
  std::string path;                      // where the loader finds it
  std::string resolved_path;             // after all links
  std::optional<driver_release> release; // of the resolved name; absent for a stub or a renamed copy
  bool is_32_bit = false;

  /// A forward-compatibility copy of CUDA, which is newer than the driver on purpose.
  bool is_compat_copy() const;
};

/// The version in a library's file name: libcuda.so.550.54.15 -> 550.54.15. Nothing for libcuda.so.1.
std::optional<driver_release> parse_library_release(std::string_view file_name);

/// One "LINK -> TARGET" of a capture's commands/readlink.txt, the target relative to the link's folder or absolute.
struct recorded_link {
  std::string link, target;
};
std::vector<recorded_link> parse_recorded_links(std::string_view text);

/// libcuda and NVML as the loader would find them: by its cache, or, where there is none, in the folders that
/// distributions use. An empty list means that none is installed.
fact<std::vector<driver_library>> read_driver_libraries(host &node);

} // namespace gpucert
