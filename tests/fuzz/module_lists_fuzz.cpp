// SPDX-License-Identifier: Apache-2.0
#include "node/gsp_firmware.h"
#include "node/module_copies.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_module_lists(std::string_view input) {
  parse_module_list(input);
  parse_module_descriptions(input);
  parse_firmware_list(input);
  parse_firmware_switched_off(input);
}

const fuzz_registration registration{
    {"module_lists",
     {"root/lib/modules.list", "commands/find_modules.txt", "commands/modinfo_nvidia_next_kernel.txt",
      "root/lib/firmware.list", "root/proc/driver/nvidia/params", "root/proc/cmdline",
      "root/etc/modprobe.d/nvidia.conf"},
     fuzz_module_lists,
     {"/lib/modules/5.14.0-503.el9.x86_64/weak-updates/nvidia/nvidia.ko.xz -> "
      "/lib/modules/5.14.0-427.el9.x86_64/extra/nvidia.ko.xz\n"}}};

} // namespace
} // namespace gpucert
