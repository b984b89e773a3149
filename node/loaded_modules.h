// SPDX-License-Identifier: Apache-2.0
// The NVIDIA kernel modules in memory.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

enum class module_flavour { proprietary, open };

/// What /proc/driver/nvidia/version says of the module in memory.
struct loaded_module {
  kernel_module_version version;
  module_flavour flavour;
  /// Built for Tegra: its number is that of Jetson Linux (35.3.1) and is compared with no library.
  bool is_tegra_build = false;
};

struct loaded_modules {
  /// Of the module nvidia.
  fact<loaded_module> nvidia;
  /// Names of all loaded modules, from /proc/modules.
  fact<std::vector<std::string>> names;
  /// /sys/module/NAME/version of each loaded module of the driver: nvidia, nvidia_uvm, nvidia_modeset ...
  std::map<std::string, fact<kernel_module_version>> versions;

  /// Whether a module of this name is loaded; nothing where nobody knows.
  std::optional<bool> has(std::string_view name) const;
};

/// Parses the text of /proc/driver/nvidia/version; only line 1 speaks of the module, line 2 is the compiler's.
/// Returns nothing when line 1 has no driver version. Never guesses: two modules without a version are not equal.
/// Format: nv-procfs.c and utils.mk of NVIDIA's open-gpu-kernel-modules, 515 to 595.
std::optional<loaded_module> parse_loaded_module(std::string_view proc_version_text);

/// Names out of /proc/modules or of lsmod, whose header line is skipped.
std::vector<std::string> parse_module_names(std::string_view text);

loaded_modules read_loaded_modules(host &node);

} // namespace gpucert
