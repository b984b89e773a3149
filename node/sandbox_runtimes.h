// SPDX-License-Identifier: Apache-2.0
// The GL runtimes of flatpak: copies of the driver's libraries that sandboxed programs use.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct sandbox_runtime {
  std::string name; // org.freedesktop.Platform.GL.nvidia-535-183-01
  driver_release release;
};

/// Names with a release in them, wherever they stand in a line; GL32 runtimes too.
std::vector<sandbox_runtime> parse_sandbox_runtimes(std::string_view text);

/// Those of the system: `flatpak list` of a capture, else the folder of its runtimes. An empty list: none.
fact<std::vector<sandbox_runtime>> read_sandbox_runtimes(host &node);

} // namespace gpucert
