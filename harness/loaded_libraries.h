// SPDX-License-Identifier: Apache-2.0
// Which CUDA and driver libraries this process really runs on, and whether they are the simulator's. One of the three
// places outside simulator/ that know of it: what a run says of itself is read from what was loaded, not from an
// option.
#pragma once

#include "harness/case_lines.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// A library by name and mapped file.
struct mapped_library {
  std::string name;
  std::string path; // as the kernel writes it: " (deleted)" at its end where the file was replaced meanwhile

  friend bool operator==(const mapped_library &, const mapped_library &) = default;
};

/// The libraries of CUDA and the driver in the text of /proc/PID/maps, each file once, in the order of first mention.
std::vector<mapped_library> parse_mapped_libraries(std::string_view maps);

/// "build-id:HEX", else "sha256:HEX" of the contents; empty when the file cannot be read any more.
std::string read_library_digest(const std::string &path);

/// Those of this process. libcuda is loaded by the first call of the CUDA runtime: ask after it.
std::vector<loaded_library> read_loaded_libraries();

/// A function that a loaded library of this name exports, or null. Never loads one.
void *find_in_loaded_library(std::string_view library_name, const char *symbol);

} // namespace gpucert
