// SPDX-License-Identifier: Apache-2.0
#include "node/installed_kernels.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_installed_kernels(std::string_view input) {
  const std::string_view half = input.substr(0, input.size() / 2);
  parse_boot_list(input);
  kernel_in_boot_file(input);
  parse_grub_default(input);
  kernel_in_menu_entry(input);
  is_older_kernel(half, input.substr(half.size()));
}

const fuzz_registration registration{
    {"installed_kernels",
     {"root/boot.list"},
     fuzz_installed_kernels,
     {"GRUB_DEFAULT=\"Advanced options for Ubuntu>Ubuntu, with Linux 5.15.0-105-generic\"\nGRUB_TIMEOUT=0\n",
      "/boot/initramfs-5.14.0-503.el9.x86_64.img", "5.15.0-995.15.0-105"}}};

} // namespace
} // namespace gpucert
