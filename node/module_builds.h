// SPDX-License-Identifier: Apache-2.0
// What package runs said of building the driver's module for a kernel.
#pragma once

#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

enum class build_outcome { succeeded, failed, no_headers };

struct module_build {
  std::optional<std::string> kernel;
  std::optional<std::string> version; // of the driver, where the log names it
  build_outcome outcome = build_outcome::failed;
  std::string source;
  std::string text; // the line that says so
};

/// Out of the logs of apt (term.log), pacman, akmods and dkms itself, in their order. Of builds for one kernel the last
/// one counts. A build is the driver's unless the lines before it name another module.
std::vector<module_build> parse_module_builds(std::string_view text, std::string_view source);

/// The last outcome for each kernel, over term.log, pacman.log, what people saw, and the log that a failed build leaves
/// in DKMS' tree. Empty where no log says anything.
std::vector<module_build> read_module_builds(host &node);

} // namespace gpucert
