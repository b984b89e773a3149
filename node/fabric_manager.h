// SPDX-License-Identifier: Apache-2.0
// Fabric Manager, which sets up NVSwitches: CUDA fails with 802 on such a node until it has run.
#pragma once

#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// What systemd says of the unit.
struct unit_state {
  bool is_installed = true;
  std::string active;         // "active", "inactive", "failed", "activating"; empty when not stated
  std::string text;           // the line that says so
  bool is_restarting = false; // it failed, and systemd tries again

  bool is_active() const {
    return active == "active" || active == "reloading" || (active == "activating" && !is_restarting);
  }
};

/// Parses `systemctl status UNIT` and `systemctl show -p ActiveState,... UNIT`. Nothing when it is neither.
std::optional<unit_state> parse_unit_state(std::string_view text);

struct fabric_manager {
  fact<std::vector<std::string>> switches; // PCI addresses of NVSwitches
  fact<unit_state> unit;
};

/// `is_deep`: systemd may be asked. Otherwise the unit's control group says whether it runs.
fabric_manager read_fabric_manager(host &node, bool is_deep);

} // namespace gpucert
