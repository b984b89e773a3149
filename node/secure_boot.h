// SPDX-License-Identifier: Apache-2.0
// Whether the firmware lets the kernel load only signed modules.
#pragma once

#include "node/reading.h"

#include <optional>
#include <string_view>

namespace gpucert {

class host;

/// "SecureBoot enabled" of `mokutil --sb-state`, which may also say that the platform is in setup mode.
std::optional<bool> parse_secure_boot(std::string_view mokutil_text);

/// The EFI variable itself: four bytes of attributes, then 0 or 1. Absent: the machine did not boot by EFI.
fact<bool> read_secure_boot(host &node);

} // namespace gpucert
