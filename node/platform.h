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

  /// PCI says nothing of the GPU here.
  bool has_gpu_off_pci() const { return is_wsl2 || is_jetson; }
};

/// NAME and VERSION_ID of /etc/os-release, in one text.
std::optional<std::string> parse_os_release(std::string_view text);

platform read_platform(host &node, const fact<std::string> &kernel_release, const loaded_modules &modules);

} // namespace gpucert
