// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"
#include "node/loaded_modules.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct version_line {
  const char *name;
  const char *text; // of /proc/driver/nvidia/version
  const char *version;
  module_flavour flavour;
  bool is_tegra_build = false;
};

class loaded_module_test : public testing::TestWithParam<version_line> {};

TEST_P(loaded_module_test, reads_version_and_flavour) {
  const auto module = parse_loaded_module(GetParam().text);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->version.text(), GetParam().version);
  EXPECT_EQ(module->flavour, GetParam().flavour);
  EXPECT_EQ(module->is_tegra_build, GetParam().is_tegra_build);
}

INSTANTIATE_TEST_SUITE_P(
    formats, loaded_module_test,
    testing::Values(
        version_line{"proprietary_x86_64",
                     "NVRM version: NVIDIA UNIX x86_64 Kernel Module  520.56.06  Thu Oct  6 21:38:55 UTC 2022\n"
                     "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n",
                     "520.56.06", module_flavour::proprietary},
        version_line{"proprietary_aarch64_two_numbers",
                     "NVRM version: NVIDIA UNIX aarch64 Kernel Module  550.120  Fri Sep 13 11:01:10 UTC 2024\n",
                     "550.120", module_flavour::proprietary},
        version_line{"proprietary_ppc64le",
                     "NVRM version: NVIDIA UNIX ppc64le Kernel Module  418.87.00  Thu Aug  8 15:32:09 CDT 2019\n",
                     "418.87.00", module_flavour::proprietary},
        version_line{"open_x86_64",
                     "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release Build  "
                     "(dvs-builder@U22-I3-B10-02-5)  Mon Jun  2 13:13:04 UTC 2025\n",
                     "570.158.01", module_flavour::open},
        version_line{
            "open_built_here_with_localised_date",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  515.57  Release Build Mi 20. Jul 11:53:35 "
            "CEST 2022\n",
            "515.57", module_flavour::open},
        version_line{
            "open_built_by_dkms_with_12_hour_clock",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  595.71.05  Release Build  (root@epyc)  Fri "
            "Jul  3 11:27:00 AM UTC 2026\n",
            "595.71.05", module_flavour::open},
        version_line{
            "open_suse",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.105.08  Release Build  (abuild@OBS)  "
            "Thu Nov 13 14:29:36 UTC 2025\n",
            "580.105.08", module_flavour::open},
        version_line{"open_truncated",
                     "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  515.43.04  Release Build  (roo",
                     "515.43.04", module_flavour::open},
        version_line{"open_sbsa",
                     "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  550.144.03  Release Build  "
                     "(dvs-builder@U16-I2-C01-12-4)  Mon Dec 30 17:33:24 UTC 2024\n",
                     "550.144.03", module_flavour::open},
        version_line{"jetson",
                     "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  35.3.1  Release Build  "
                     "(buildbrain@mobile-u64-6289-d7000)  Sun Mar 19 08:09:33 PDT 2023\n",
                     "35.3.1", module_flavour::open, true},
        version_line{"vgpu_looks_like_others",
                     "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.148.06  Wed May 14 17:59:35 UTC 2025\n",
                     "570.148.06", module_flavour::proprietary},
        version_line{"pasted_with_single_blanks",
                     "NVRM version: NVIDIA UNIX x86_64 Kernel Module 390.25 Wed Jan 24 20:02:43 PST 2018", "390.25",
                     module_flavour::proprietary}),
    [](const auto &tested) { return tested.param.name; });

struct no_version_line {
  const char *name;
  const char *text;
};

class no_loaded_module_test : public testing::TestWithParam<no_version_line> {};

TEST_P(no_loaded_module_test, is_not_guessed) { EXPECT_FALSE(parse_loaded_module(GetParam().text)); }

INSTANTIATE_TEST_SUITE_P(
    formats, no_loaded_module_test,
    testing::Values(
        no_version_line{"development_build",
                        "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  TempVersion  Release Build  "
                        "(bugfix_main)  (buildbrain@x)  Tue Dec 30 15:54:35 PST 2025\n"},
        no_version_line{"development_build_with_dots_in_its_date",
                        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  TempVersion  Release Build  "
                        "(root@build)  ti 30.12.2025 15.54.35\n"},
        no_version_line{"compiler_line_only", "GCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)\n"},
        no_version_line{"compiler_line_second", "NVRM version:\nGCC version:  gcc version 11.4.0\n"},
        no_version_line{"message_of_cat", "cat: /proc/driver/nvidia/version: No such file or directory\n"},
        no_version_line{"numbers_that_overflow",
                        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  99999999999.1  Thu\n"},
        no_version_line{"empty", ""}),
    [](const auto &tested) { return tested.param.name; });

TEST(loaded_module, takes_a_line_of_a_megabyte) {
  EXPECT_FALSE(parse_loaded_module("NVRM version: " + std::string(1 << 20, '.')));
  EXPECT_FALSE(parse_loaded_module(std::string(1 << 20, ' ')));
}

TEST(module_names, of_proc_and_of_lsmod) {
  using names = std::vector<std::string>;
  EXPECT_EQ(parse_module_names("nvidia_uvm 4702208 2 - Live 0x0000000000000000 (PO)\n"
                               "nvidia 56705024 24 nvidia_uvm,nvidia_modeset, Live 0x0000000000000000 (PO)\n"),
            (names{"nvidia_uvm", "nvidia"}));
  EXPECT_EQ(parse_module_names("Module                  Size  Used by\nnouveau              1716224  4\n\n"),
            names{"nouveau"});
  EXPECT_EQ(parse_module_names(""), names{});
}

TEST(loaded_modules, of_a_tree) {
  temporary_folder folder;
  folder.write("proc/driver/nvidia/version",
               "NVRM version: NVIDIA UNIX x86_64 Kernel Module  410.73  Sat Oct 20 22:12:33 CDT 2018\n");
  folder.write("proc/modules", "nvidia 1 0 - Live 0x0\nnvidia_modeset 1 0 - Live 0x0\n");
  folder.write("sys/module/nvidia/version", "410.73\n");
  folder.write("sys/module/nvidia_modeset/version", "390.87\n");
  folder.write("sys/module/nvidia_uvm/version", "\n");
  folder.write("sys/module/nvidia_drm/refcnt", "0\n");
  folder.write("sys/module/nvidiafb/version", "1.0\n"); // the kernel's own, not of the driver
  host node({host_kind::tree, folder.path()});
  const loaded_modules modules = read_loaded_modules(node);
  EXPECT_EQ(modules.nvidia->version.text(), "410.73");
  EXPECT_EQ(modules.has("nvidia"), true);
  EXPECT_EQ(modules.has("nouveau"), false);
  ASSERT_EQ(modules.versions.size(), 3U) << "nvidia_drm has no version file";
  EXPECT_EQ(modules.versions.at("nvidia")->text(), "410.73");
  EXPECT_EQ(modules.versions.at("nvidia_modeset")->text(), "390.87");
  EXPECT_TRUE(modules.versions.at("nvidia_uvm").is_unknown());
}

TEST(loaded_modules, that_nobody_knows_are_not_called_unloaded) {
  temporary_folder folder;
  folder.make_folder("root");
  host node({host_kind::capture, folder.path()});
  const loaded_modules modules = read_loaded_modules(node);
  EXPECT_TRUE(modules.nvidia.is_unknown());
  EXPECT_EQ(modules.has("nvidia"), std::nullopt);
}

TEST(loaded_modules, of_a_capture_by_lsmod_or_by_one_file) {
  temporary_folder folder;
  folder.write("commands/lsmod.txt", "Module Size Used by\nnouveau 1 0\n");
  host by_lsmod({host_kind::capture, folder.path()});
  EXPECT_EQ(read_loaded_modules(by_lsmod).has("nvidia"), false);
  EXPECT_EQ(read_loaded_modules(by_lsmod).has("nouveau"), true);

  temporary_folder other;
  other.write("root/sys/module/nvidia/version", "570.124.06\n");
  host by_sys({host_kind::capture, other.path()});
  EXPECT_EQ(read_loaded_modules(by_sys).has("nvidia"), true);
  EXPECT_EQ(read_loaded_modules(by_sys).has("nvidia_uvm"), std::nullopt);
}

TEST(loaded_modules, version_file_that_says_nothing_is_unknown) {
  temporary_folder folder;
  folder.write("root/proc/driver/nvidia/version",
               "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  TempVersion  Release Build  (x)\n");
  host node({host_kind::capture, folder.path()});
  EXPECT_EQ(read_loaded_modules(node).nvidia.problem, "has no driver version in its first line");
}

} // namespace
} // namespace gpucert
