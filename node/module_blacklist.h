// SPDX-License-Identifier: Apache-2.0
// Whether the node keeps nouveau from being loaded: in the configuration of modprobe or on the kernel command line.
#pragma once

#include "node/reading.h"

#include <string>
#include <string_view>

namespace gpucert {

class host;

/// "blacklist nouveau", "install nouveau /bin/false", "options nouveau modeset=0", "alias nouveau off": whatever keeps
/// it from taking a GPU. In names '-' is '_'.
bool keeps_nouveau_away(std::string_view modprobe_configuration);

/// "modprobe.blacklist=nouveau", "rd.driver.blacklist=nouveau", "module_blacklist=...", "nouveau.modeset=0",
/// "nomodeset".
bool command_line_keeps_nouveau_away(std::string_view command_line);

/// Known: whether something does, and where. Unknown where a file or folder that could say so was not read.
fact<bool> read_nouveau_blacklist(host &node);

} // namespace gpucert
