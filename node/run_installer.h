// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's installer file (.run) leaves on a node: its log and its uninstaller. No package has either.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

class host;

struct installer_log {
  std::optional<driver_release> release; // "installer version: 535.104.12"
  bool is_complete = false;              // it says that the installation is complete
};

struct run_installer {
  fact<std::string> uninstaller; // its path
  fact<installer_log> log;
};

/// /var/log/nvidia-installer.log: "installer version: R" near its beginning, and at its end "Installation of the NVIDIA
/// Accelerated Graphics Driver for Linux-x86_64 (version: R) is now complete." Each run writes it anew.
installer_log parse_installer_log(std::string_view text);

run_installer read_run_installer(host &node);

} // namespace gpucert
