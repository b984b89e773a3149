// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"
#include "node/platform.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

TEST(os_release, name_and_version) {
  EXPECT_EQ(parse_os_release("PRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\n"),
            "Ubuntu 22.04");
  EXPECT_EQ(parse_os_release("NAME='Red Hat Enterprise Linux'\r\nVERSION_ID=9.4\r\n"), "Red Hat Enterprise Linux 9.4");
  EXPECT_EQ(parse_os_release("NAME=\"Arch Linux\"\nBUILD_ID=rolling\n"), "Arch Linux");
  EXPECT_EQ(parse_os_release("VERSION_ID=\"22.04\"\n"), std::nullopt);
  EXPECT_EQ(parse_os_release("NAME=\"\"\n"), std::nullopt);
  EXPECT_EQ(parse_os_release("# NAME of it\nrubbish"), std::nullopt);
  EXPECT_EQ(parse_os_release("NAME=\""), "\"") << "half a quotation is text";
}

platform read(const temporary_folder &folder, std::string_view kernel) {
  host node({host_kind::capture, folder.path()});
  return read_platform(node, fact<std::string>::known(std::string(kernel), "test"), read_loaded_modules(node));
}

TEST(jetson_linux, release_and_revision_are_one_number) {
  const auto text_of = [](std::string_view line) {
    const auto parsed = parse_jetson_linux(line);
    return parsed ? parsed->text() : "";
  };
  EXPECT_EQ(text_of("# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic\n# KERNEL_VARIANT: oot\n"),
            "36.4.3");
  EXPECT_EQ(text_of("# R35 (release), REVISION: 3.1"), "35.3.1");
  EXPECT_EQ(text_of("# R36 (release)"), "");
  EXPECT_EQ(text_of("R36, REVISION: 4.3"), "");
  EXPECT_EQ(text_of(""), "");
}

TEST(platform, of_a_server) {
  temporary_folder folder;
  folder.write("root/etc/os-release", "NAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\n");
  const platform server = read(folder, "5.15.0-105-generic");
  EXPECT_EQ(server.distribution, "Ubuntu 22.04");
  EXPECT_FALSE(server.is_wsl2 || server.is_jetson || server.has_gpu_off_pci());
}

TEST(platform, wsl2_is_known_by_its_kernel) {
  temporary_folder folder;
  folder.make_folder("root");
  EXPECT_TRUE(read(folder, "5.15.153.1-microsoft-standard-WSL2").is_wsl2);
  EXPECT_TRUE(read(folder, "4.19.128-Microsoft-standard").has_gpu_off_pci());
  host node({host_kind::capture, folder.path()});
  EXPECT_FALSE(read_platform(node, fact<std::string>::unknown("test", "why"), {}).is_wsl2);
}

TEST(platform, jetson_is_known_by_its_release_file_or_its_module) {
  temporary_folder by_file;
  by_file.write("root/etc/nv_tegra_release", "# R35 (release), REVISION: 3.1\n");
  EXPECT_TRUE(read(by_file, "5.10.104-tegra").is_jetson);
  temporary_folder by_module;
  by_module.write("root/proc/driver/nvidia/version",
                  "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  35.3.1  Release Build  "
                  "(buildbrain@mobile-u64-6289-d7000)  Sun Mar 19 08:09:33 PDT 2023\n");
  EXPECT_TRUE(read(by_module, "5.10.104-tegra").is_jetson);
  temporary_folder asked;
  asked.write("root/etc/nv_tegra_release", ""); // asked, and there is none
  EXPECT_FALSE(read(asked, "5.10.104").is_jetson);
}

} // namespace
} // namespace gpucert
