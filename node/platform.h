// SPDX-License-Identifier: Apache-2.0
// What kind of node this is, as far as it changes what is expected of it.
#pragma once

#include "node/loaded_modules.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

class host;

struct platform {
  std::optional<std::string> distribution; // "Ubuntu 22.04", from os-release
  bool is_wsl2 = false;                    // the driver is Windows'; the kernel has no NVIDIA module
  bool is_jetson = false;                  // the GPU is part of the chip; module and libraries count differently
  fact<driver_release> jetson_linux;       // 36.4.3, from /etc/nv_tegra_release

  /// PCI says nothing of the GPU here.
  bool has_gpu_off_pci() const { return is_wsl2 || is_jetson; }
};

/// NAME and VERSION_ID of /etc/os-release, in one text.
std::optional<std::string> parse_os_release(std::string_view text);

/// "# R36 (release), REVISION: 4.3, ..." of /etc/nv_tegra_release -> 36.4.3. Nothing where it says no such thing.
std::optional<driver_release> parse_jetson_linux(std::string_view text);

platform read_platform(host &node, const fact<std::string> &kernel_release, const loaded_modules &modules);

} // namespace gpucert
