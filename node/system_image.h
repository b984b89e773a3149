// SPDX-License-Identifier: Apache-2.0
// Systems that come as an image: module and libraries change together, at a reboot, and no package log tells of it.
#pragma once

#include "node/reading.h"

#include <string>
#include <string_view>

namespace gpucert {

class host;

struct system_image {
  std::string kind; // "rpm-ostree", "NixOS", "transactional-update", "bootc"
  std::string text; // what shows it
};

/// Absent: an ordinary system. Unknown: nothing was captured that would tell.
fact<system_image> read_system_image(host &node);

} // namespace gpucert
