// SPDX-License-Identifier: Apache-2.0
// What earlier drivers left on the disk: packages, the installer's traces, and the blacklist of nouveau.
#include "node/host.h"
#include "node/module_blacklist.h"
#include "node/old_packages.h"
#include "node/run_installer.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

std::vector<std::string> in_words(const std::vector<obtainable_package> &packages) {
  std::vector<std::string> words;
  for (const obtainable_package &package : packages)
    words.push_back(package.name + " " + package.version.text);
  return words;
}

using words = std::vector<std::string>;

TEST(old_packages, are_known_by_the_names_of_files) {
  EXPECT_EQ(in_words(parse_package_paths(
                "/var/cache/apt/archives/libnvidia-compute-535_535.161.07-0ubuntu0.22.04.1_amd64.deb\n"
                "/var/cache/apt/archives/libcuda1_1%3a535.161.07-1_amd64.deb\n"
                "/var/cache/dnf/cuda-1/packages/nvidia-driver-cuda-535.161.07-1.el9.x86_64.rpm\n"
                "/var/cache/pacman/pkg/nvidia-utils-535.161.07-2-x86_64.pkg.tar.zst\n")),
            (words{"libnvidia-compute-535 535.161.07-0ubuntu0.22.04.1", "libcuda1 1:535.161.07-1",
                   "nvidia-driver-cuda 535.161.07-1.el9", "nvidia-utils 535.161.07-2"}));
}

TEST(old_packages, are_not_what_is_no_package_of_the_driver) {
  EXPECT_EQ(in_words(parse_package_paths("none\n\n/x/bash_5.1_amd64.deb\n_.deb\n/x/.pkg.tar.zst\n/x/a-b.pkg.tar.xz\n"
                                         "/x/nvidia-utils-535.161.07-2-x86_64.pkg.tar.zst.sig\n/x/__.deb\n/x/y.rpm")),
            words{});
}

TEST(old_packages, that_apt_offers) {
  const std::set<driver_release> wanted{driver_release::parse("535.161.07").value()};
  std::vector<obtainable_package> offers;
  parse_apt_list("Package: libnvidia-compute-535\nArchitecture: amd64\nVersion: 535.161.07-0ubuntu1\n\n"
                 "Package: libnvidia-compute-535\nVersion: 535.183.01-0ubuntu1\n\n"
                 "Package: bash\nVersion: 535.161.07\n\nVersion: 535.161.07-0ubuntu1\n\n"
                 "Package: nvidia-utils-535\nVersion: 535.161.07-0ubuntu1",
                 "list", wanted, offers);
  EXPECT_EQ(in_words(offers),
            (words{"libnvidia-compute-535 535.161.07-0ubuntu1", "nvidia-utils-535 535.161.07-0ubuntu1"}));
  EXPECT_EQ(in_words(parse_offers("none\na 1 list\nb 2\n")), (words{"a 1", "b 2"}));
}

TEST(installer_log, names_its_release_and_its_end) {
  const installer_log log = parse_installer_log(
      "nvidia-installer log file '/var/log/nvidia-installer.log'\ncreation time: Mon Nov  6 10:12:31 2023\n"
      "installer version: 535.104.12\n"
      "-> Installation of the NVIDIA Accelerated Graphics Driver for Linux-x86_64 (version: 535.104.12) is now "
      "complete.\n");
  EXPECT_EQ(log.release.value().text(), "535.104.12");
  EXPECT_TRUE(log.is_complete);
  EXPECT_FALSE(parse_installer_log("installer version: 535.104.12\nERROR: Installation has failed.\n").is_complete);
  EXPECT_FALSE(parse_installer_log("").release);
}

TEST(module_blacklist, of_modprobe) {
  for (const char *text : {"blacklist nouveau\n", "# x\n  blacklist\tnouveau", "install nouveau /bin/false\n",
                           "options nouveau modeset=0\r\n", "alias nouveau off\n"})
    EXPECT_TRUE(keeps_nouveau_away(text)) << text;
  for (const char *text : {"", "# blacklist nouveau\n", "blacklist nvidiafb\n", "options nouveau modeset=1\n",
                           "alias nouveau foo\n", "blacklist nouveau_x\n"})
    EXPECT_FALSE(keeps_nouveau_away(text)) << text;
}

TEST(module_blacklist, of_the_kernel_command_line) {
  for (const char *line : {"root=/dev/sda modprobe.blacklist=nouveau quiet\n", "rd.driver.blacklist=x,nouveau",
                           "module_blacklist=nouveau", "nomodeset", "nouveau.modeset=0"})
    EXPECT_TRUE(command_line_keeps_nouveau_away(line)) << line;
  for (const char *line : {"", "quiet splash", "modprobe.blacklist=nvidiafb", "nouveau.modeset=1", "x=nouveau"})
    EXPECT_FALSE(command_line_keeps_nouveau_away(line)) << line;
}

} // namespace
} // namespace gpucert
