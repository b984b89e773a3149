// SPDX-License-Identifier: Apache-2.0
// Parsers of what the next load of the module meets on the disk.
#include "node/dkms.h"
#include "node/installed_kernels.h"
#include "node/module_builds.h"
#include "node/module_copies.h"
#include "node/secure_boot.h"

#include <gtest/gtest.h>

#include <string>

namespace gpucert {
namespace {

TEST(dkms_status, of_all_ages) {
  const dkms_status status = parse_dkms_status(
      "nvidia, 396.45, 4.17.14-202.fc28.x86_64, x86_64: installed (original_module exists)\n"
      "nvidia-srv/535.230.02, 5.15.0-94-generic, x86_64: installed (Differences between built and installed modules)\n"
      "nvidia/570.133.07: added\n"
      "nvidia, 550.54, 5.14.0-1.el9, x86_64: installed-weak from 5.14.0-0.el9\n"
      "zfs/2.1.5: broken\n");
  ASSERT_EQ(status.entries.size(), 5U);
  EXPECT_EQ(status.entries[0].kernel, "4.17.14-202.fc28.x86_64");
  EXPECT_EQ(status.entries[0].state, dkms_state::installed);
  EXPECT_FALSE(status.entries[0].differs);
  EXPECT_EQ(status.entries[1].release()->text(), "535.230.02");
  EXPECT_TRUE(status.entries[1].differs);
  EXPECT_FALSE(status.entries[2].kernel);
  EXPECT_EQ(status.entries[3].state, dkms_state::installed_weak);
  EXPECT_FALSE(status.entries[4].is_driver());
  EXPECT_FALSE(status.error);
}

TEST(dkms_status, that_dkms_cannot_read) {
  const dkms_status status = parse_dkms_status("Error! Could not locate dkms.conf file.\n"
                                               "File: /var/lib/dkms/nvidia/390.48/source/dkms.conf does not exist.\n");
  ASSERT_TRUE(status.error);
  EXPECT_EQ(status.missing_file, "/var/lib/dkms/nvidia/390.48/source/dkms.conf");
}

TEST(installed_kernels, are_ordered_by_number) {
  EXPECT_TRUE(is_older_kernel("5.15.0-99-generic", "5.15.0-105-generic"));
  EXPECT_FALSE(is_older_kernel("5.15.0-105-generic", "5.15.0-99-generic"));
  EXPECT_FALSE(is_older_kernel("6.8.0", "6.8.0"));
  EXPECT_TRUE(is_older_kernel("6.8.0-rc3", "6.8.0"));
}

TEST(installed_kernels, are_named_by_files_and_entries) {
  EXPECT_EQ(kernel_in_boot_file("/boot/vmlinuz-5.15.0-105-generic"), "5.15.0-105-generic");
  EXPECT_EQ(kernel_in_boot_file("/boot/initramfs-5.14.0-570.el9.x86_64.img"), "5.14.0-570.el9.x86_64");
  EXPECT_FALSE(kernel_in_boot_file("/boot/vmlinuz-linux"));
  EXPECT_FALSE(kernel_in_boot_file("/boot/vmlinuz-0-rescue-0123456789abcdef"));
  EXPECT_EQ(kernel_in_menu_entry("Advanced options for Ubuntu>Ubuntu, with Linux 5.15.0-105-generic"),
            "5.15.0-105-generic");
  EXPECT_EQ(kernel_in_menu_entry("0123456789abcdef0123456789abcdef-5.14.0-570.el9.x86_64"), "5.14.0-570.el9.x86_64");
  EXPECT_FALSE(kernel_in_menu_entry("0"));
}

TEST(installed_kernels, of_the_next_boot) {
  installed_kernels kernels;
  const auto running = fact<std::string>::known("6.8.0-50-generic", "osrelease");
  const fact<std::vector<installed_package>> no_packages;
  EXPECT_FALSE(find_next_kernel(kernels, no_packages, running)) << "nothing lists the kernels";
  kernels.boot_files = fact<std::vector<boot_file>>::known(
      parse_boot_list("/boot/vmlinuz-6.8.0-9-generic\n/boot/vmlinuz-6.8.0-60-generic\n"), "boot.list");
  EXPECT_EQ(find_next_kernel(kernels, no_packages, running)->release, "6.8.0-60-generic");
  kernels.boot_files = fact<std::vector<boot_file>>::known(
      parse_boot_list("/boot/vmlinuz-6.8.0-9-generic *\n/boot/vmlinuz-6.8.0-60-generic\n"), "boot.list");
  EXPECT_EQ(find_next_kernel(kernels, no_packages, running)->release, "6.8.0-9-generic");
}

TEST(module_copies, leave_out_what_is_not_the_driver) {
  const auto copies = parse_module_list("/lib/modules/6.8.0/updates/dkms/nvidia.ko.zst\n"
                                        "/lib/modules/6.8.0/kernel/drivers/video/fbdev/nvidia/nvidiafb.ko\n"
                                        "/lib/modules/6.8.0/updates/dkms/nvidia-drm.ko\n"
                                        "/lib/modules/6.9.0/weak-updates/nvidia.ko -> "
                                        "/lib/modules/6.8.0/extra/nvidia.ko\n");
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].kernel, "6.8.0");
  EXPECT_EQ(copies[1].stands_for, "/lib/modules/6.8.0/extra/nvidia.ko");
}

TEST(module_builds, the_last_one_counts) {
  const std::string failed = "==> dkms install --no-depmod nvidia/470.256.02 -k 6.14.4-arch1-2\n"
                             "Error! Bad return status for module build on kernel: 6.14.4-arch1-2 (x86_64)\n"
                             "==> WARNING: `dkms install --no-depmod nvidia/470.256.02 -k 6.14.4-arch1-2' exited 10\n";
  auto builds = parse_module_builds(failed, "log");
  ASSERT_EQ(builds.size(), 1U);
  EXPECT_EQ(builds[0].kernel, "6.14.4-arch1-2");
  EXPECT_EQ(builds[0].outcome, build_outcome::failed);
  builds = parse_module_builds(failed + "dkms install nvidia/470.256.02 -k 6.14.4-arch1-2\nDKMS: install completed.\n",
                               "log");
  ASSERT_EQ(builds.size(), 1U);
  EXPECT_EQ(builds[0].outcome, build_outcome::succeeded);
}

TEST(module_builds, of_another_module_are_left_out) {
  EXPECT_TRUE(parse_module_builds("dkms install zfs/2.1.5 -k 6.8.0\nBad return status for module build on kernel: "
                                  "6.8.0 (x86_64)\n",
                                  "log")
                  .empty());
}

TEST(module_builds, of_a_module_without_a_name_are_the_drivers) {
  const auto builds = parse_module_builds("Loading new ... DKMS files...\nBuilding for 6.8.0-57-generic\n"
                                          "Bad return status for module build on kernel: 6.8.0-57-generic (x86_64)\n",
                                          "log");
  ASSERT_EQ(builds.size(), 1U);
  EXPECT_EQ(builds[0].kernel, "6.8.0-57-generic");
  EXPECT_FALSE(builds[0].version);
}

// The time for one more must not grow with those before.
TEST(module_builds, of_very_many_kernels_are_the_newest) {
  std::string log;
  for (int kernel = 0; kernel < 1000; ++kernel)
    log += "Bad return status for module build on kernel: 6.8.0-" + std::to_string(kernel) + "-generic (x86_64)\n";
  const auto builds = parse_module_builds(log, "log");
  ASSERT_EQ(builds.size(), 256U);
  EXPECT_EQ(builds.back().kernel, "6.8.0-999-generic");
}

TEST(secure_boot, of_mokutil) {
  EXPECT_EQ(parse_secure_boot("SecureBoot enabled\n"), true);
  EXPECT_EQ(parse_secure_boot("SecureBoot disabled\nPlatform is in Setup Mode\n"), false);
  EXPECT_FALSE(parse_secure_boot("mokutil: command not found\n"));
}

} // namespace
} // namespace gpucert
