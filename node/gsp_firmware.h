// SPDX-License-Identifier: Apache-2.0
// The firmware of the GPU system processor (GSP): which releases lie on the disk, and whether its use is switched off.
#pragma once

#include "node/reading.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// Where a setting of the module stands, and what it says.
struct module_setting {
  std::string source;
  std::string line;
};

struct gsp_firmware {
  /// Releases with a GSP image below /lib/firmware/nvidia: "550.54.15". Unknown where another folder is searched too,
  /// or the list does not tell.
  fact<std::vector<std::string>> releases;
  /// Each place which says that the module must not use the firmware.
  std::vector<module_setting> switched_off;
};

/// Of a list of paths, one a line: those of files like ".../nvidia/550.54.15/gsp_ga10x.bin", packed ones too. Sorted.
std::vector<std::string> parse_firmware_list(std::string_view text);

/// The lines of /proc/driver/nvidia/params, of modprobe's configuration or of a kernel command line which switch the
/// firmware off: "EnableGpuFirmware: 0", "options nvidia NVreg_EnableGpuFirmware=0". Comments are none.
std::vector<std::string> parse_firmware_switched_off(std::string_view text);

gsp_firmware read_gsp_firmware(host &node);

} // namespace gpucert
