// SPDX-License-Identifier: Apache-2.0
// Every copy of the nvidia module below /lib/modules. depmod picks one per kernel, not always the newest.
#pragma once

#include "node/modinfo.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct module_copy {
  std::string kernel;                    // the kernel in whose folder it lies
  std::string path;                      // as on the node
  std::optional<std::string> stands_for; // the file that a link (weak-updates) leads to
  std::optional<module_file> file;       // where somebody looked into it
};

/// Out of `find /lib/modules -name 'nvidia*.ko*'`. Only the module nvidia itself counts: nvidiafb,
/// nvidia-wmi-ec-backlight, i2c-nvidia-gpu and the drivers of NVIDIA's network cards are not the driver. A line may
/// name the target of a link behind " -> ".
std::vector<module_copy> parse_module_list(std::string_view text);

/// One modinfo output after the other, each beginning with "filename:".
std::vector<module_file> parse_module_descriptions(std::string_view text);

/// Reads commands/find_modules.txt, and commands/modinfo_nvidia_copies.txt: modinfo of each copy where a kernel has
/// more than one. `interesting` are the kernels whose copies are looked into.
fact<std::vector<module_copy>> read_module_copies(host &node, const std::vector<std::string> &interesting);

} // namespace gpucert
