// SPDX-License-Identifier: Apache-2.0
#include "node/package_database.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

/// "name:arch version state [held] [reinstall] [cut]": one package on one line, for tables.
std::string in_words(const installed_package &package) {
  std::string words = package.name;
  if (package.architecture)
    words += ":" + *package.architecture;
  words += " " + (package.version ? package.version->text : "-");
  words.append(" ").append(to_string(package.state));
  words += package.is_held ? " held" : "";
  words += package.needs_reinstall ? " reinstall" : "";
  words += package.is_name_cut ? " cut" : "";
  return words;
}

std::vector<std::string> in_words(const std::vector<installed_package> &packages) {
  std::vector<std::string> words;
  for (const installed_package &package : packages)
    words.push_back(in_words(package));
  return words;
}

using words = std::vector<std::string>;

TEST(dpkg_status, reads_the_fields_between_descriptions) {
  EXPECT_EQ(in_words(parse_dpkg_status("Package: nvidia-driver-535-server\n"
                                       "Status: hold ok installed\n"
                                       "Priority: optional\n"
                                       "Section: non-free/libs\n"
                                       "Maintainer: Package Maintainers <maintainers@example.org>\n"
                                       "Architecture: amd64\n"
                                       "Source: nvidia-graphics-drivers-535-server (535.161.07-0ubuntu0.22.04.1)\n"
                                       "Version: 550.54.15-0ubuntu0.22.04.1\n"
                                       "Description: NVIDIA Server Driver metapackage\n"
                                       " Version: 1.0 is not the version of this package\n"
                                       "\n"
                                       "Package: unattended-upgrades\r\n"
                                       "Status: install ok installed\r\n"
                                       "Architecture: all\r\n"
                                       "Version: 2.8ubuntu1\r\n"
                                       "\r\n"
                                       "Package: nvidia-dkms-580-open\n"
                                       "Status: install reinstreq half-configured\n"
                                       "Architecture: amd64\n"
                                       "Version: 580.95.05-0ubuntu1\n"
                                       "\n"
                                       "Package: nvidia-utils-470\n"
                                       "Status: deinstall ok config-files\n"
                                       "Architecture: amd64\n"
                                       "Version: 470.161.03-0ubuntu1")),
            (words{"nvidia-driver-535-server:amd64 550.54.15-0ubuntu0.22.04.1 installed held",
                   "unattended-upgrades:all 2.8ubuntu1 installed",
                   "nvidia-dkms-580-open:amd64 580.95.05-0ubuntu1 half-configured reinstall",
                   "nvidia-utils-470:amd64 470.161.03-0ubuntu1 config-files"}));
}

TEST(dpkg_status, stanza_without_name_or_state_is_left_out) {
  EXPECT_TRUE(parse_dpkg_status("Version: 1.0\nStatus: install ok installed\n\nPackage: x\n\nPackage: y\n"
                                "Status: install ok wonderful\n")
                  .empty());
  EXPECT_TRUE(parse_dpkg_status("").empty());
}

TEST(dpkg_status, takes_a_megabyte_line) {
  const std::string text =
      "Package: a\nStatus: install ok installed\nVersion: 1\nDepends: " + std::string(1'000'000, ',') +
      "\n\nPackage: b\nStatus: install ok installed\n";
  EXPECT_EQ(in_words(parse_dpkg_status(text)), (words{"a 1 installed", "b - installed"}));
}

struct list_row {
  const char *name;
  const char *row;
  const char *package;
};

class dpkg_list_test : public testing::TestWithParam<list_row> {};

TEST_P(dpkg_list_test, reads_row) { EXPECT_EQ(in_words(parse_dpkg_list(GetParam().row)), words{GetParam().package}); }

INSTANTIATE_TEST_SUITE_P(
    rows, dpkg_list_test,
    testing::Values(
        list_row{"installed", "ii  nvidia-smi     525.85.12-1  amd64        NVIDIA System Management Interface",
                 "nvidia-smi:amd64 525.85.12-1 installed"},
        list_row{"architecture_in_the_name",
                 "ii  libnvidia-encode-550:amd64                      550.163.01-0ubuntu0.24.04.2   amd64  NVENC Video "
                 "Encoding runtime library",
                 "libnvidia-encode-550:amd64 550.163.01-0ubuntu0.24.04.2 installed"},
        list_row{
            "tilde_in_the_version",
            "ii  linux-modules-nvidia-580-open-6.14.0-36-generic 6.14.0-36.36~24.04.1+1        amd64  Linux kernel "
            "nvidia modules for version 6.14.0-36",
            "linux-modules-nvidia-580-open-6.14.0-36-generic:amd64 6.14.0-36.36~24.04.1+1 installed"},
        list_row{"half_configured",
                 "iF  nvidia-dkms-580-open                            580.95.05-0ubuntu1            amd64  NVIDIA DKMS",
                 "nvidia-dkms-580-open:amd64 580.95.05-0ubuntu1 half-configured"},
        list_row{"unpacked", "iU  nvidia-driver-580-open  580.95.05-0ubuntu1  amd64  NVIDIA driver",
                 "nvidia-driver-580-open:amd64 580.95.05-0ubuntu1 unpacked"},
        list_row{"held", "hi  nvidia-driver-535  535.161.07-0ubuntu0.22.04.1  amd64  NVIDIA driver metapackage",
                 "nvidia-driver-535:amd64 535.161.07-0ubuntu0.22.04.1 installed held"},
        list_row{"removed", "rc  nvidia-utils-470  470.161.03-0ubuntu1  amd64  NVIDIA driver support binaries",
                 "nvidia-utils-470:amd64 470.161.03-0ubuntu1 config-files"},
        list_row{"never_installed", "un  nvidia-kernel-common  <none>  <none>  (no description available)",
                 "nvidia-kernel-common - not-installed"},
        list_row{"held_away", "hn  nvidia-driver-550  <none>  <none>  (no description available)",
                 "nvidia-driver-550 - not-installed held"},
        list_row{"reinstall_required", "iHR nvidia-dkms-535  535.161.07-0ubuntu1  amd64  NVIDIA DKMS package",
                 "nvidia-dkms-535:amd64 535.161.07-0ubuntu1 half-installed reinstall"},
        list_row{"triggers", "it  initramfs-tools  0.142ubuntu25  all  generic modular initramfs generator",
                 "initramfs-tools:all 0.142ubuntu25 triggers-pending"},
        list_row{"shortened_by_a_person", "ii  linux-modules-nvidia-580-open-6.17.0-14-generic ...",
                 "linux-modules-nvidia-580-open-6.17.0-14-generic - installed"},
        list_row{"without_description", "ii  nvidia-driver-550  550.107.02-0ubuntu0.24.04.1  amd64",
                 "nvidia-driver-550:amd64 550.107.02-0ubuntu0.24.04.1 installed"}),
    [](const auto &row) { return row.param.name; });

constexpr const char *list_header = "Desired=Unknown/Install/Remove/Purge/Hold\n"
                                    "| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n"
                                    "|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n"
                                    "||/ Name           Version      Architecture Description\n";

TEST(dpkg_list, narrow_terminal_cuts_names) {
  EXPECT_EQ(in_words(parse_dpkg_list(
                list_header +
                std::string{"+++-===============-============-============-=================================\n"
                            "ii  libnvidia-compu 550.54.15-0u amd64        NVIDIA libcompute package\n"
                            "ii  nvidia-dkms-550 550.54.15-0u amd64        NVIDIA DKMS package\n"
                            "ii  nvidia-smi      525.85.12-1  amd64        NVIDIA System Management Interface\n"})),
            (words{"libnvidia-compu:amd64 550.54.15-0u installed cut",
                   "nvidia-dkms-550:amd64 550.54.15-0u installed cut", "nvidia-smi:amd64 525.85.12-1 installed"}))
      << "whether nvidia-dkms-550 goes on (-server) cannot be seen";
}

TEST(dpkg_list, longest_name_of_a_wide_list_is_whole) {
  EXPECT_EQ(in_words(parse_dpkg_list(
                list_header +
                std::string{"+++-" + std::string(26, '=') + "-===========================-============-" +
                            std::string(40, '=') +
                            "\nii  libnvidia-encode-550:amd64 550.163.01-0ubuntu0.24.04.2 amd64        NVENC\n"})),
            words{"libnvidia-encode-550:amd64 550.163.01-0ubuntu0.24.04.2 installed"});
}

TEST(dpkg_list, other_text_is_no_package) {
  EXPECT_TRUE(parse_dpkg_list(list_header + std::string{"dpkg-query: no packages found matching nvidia*\n\nii\nii  \n"
                                                        "ii x 1.0 amd64\nuntil 550.54.15\n"})
                  .empty());
}

class rpm_package_test : public testing::TestWithParam<list_row> {};

TEST_P(rpm_package_test, splits_from_the_right) {
  EXPECT_EQ(in_words(parse_rpm_list(GetParam().row)), words{GetParam().package});
}

INSTANTIATE_TEST_SUITE_P(
    names, rpm_package_test,
    testing::Values(
        list_row{"kernel_in_the_name", "kmod-nvidia-5.14.0-570.el9_6-575.64.03-1.el9.x86_64",
                 "kmod-nvidia-5.14.0-570.el9_6:x86_64 575.64.03-1.el9 installed"},
        list_row{"kernel_with_architecture", "kmod-nvidia-6.9.7-200.fc40.x86_64-555.58.02-1.fc40.x86_64",
                 "kmod-nvidia-6.9.7-200.fc40.x86_64:x86_64 555.58.02-1.fc40 installed"},
        list_row{"precompiled", "kmod-nvidia-515.48.07-4.18.0-372.9.1-3:515.48.07-3.el8.x86_64",
                 "kmod-nvidia-515.48.07-4.18.0-372.9.1:x86_64 3:515.48.07-3.el8 installed"},
        list_row{"plain", "nvidia-xconfig-575.64-1.el9.x86_64", "nvidia-xconfig:x86_64 575.64-1.el9 installed"},
        list_row{"epoch", "dkms-nvidia-3:595.71.05-1.fc43.noarch", "dkms-nvidia:noarch 3:595.71.05-1.fc43 installed"},
        list_row{"epoch_before_the_name", "3:akmod-nvidia-565.77-1.el8.x86_64",
                 "akmod-nvidia:x86_64 3:565.77-1.el8 installed"},
        list_row{"suse", "nvidia-driver-G06-kmp-default-550.100_k6.9.7_1-25.1.x86_64",
                 "nvidia-driver-G06-kmp-default:x86_64 550.100_k6.9.7_1-25.1 installed"},
        list_row{"no_architecture", "gpg-pubkey-d4082792-5b32db75", "gpg-pubkey d4082792-5b32db75 installed"},
        list_row{"release_is_not_an_architecture", "nvidia-driver-575.64.03-1.el9",
                 "nvidia-driver 575.64.03-1.el9 installed"}),
    [](const auto &row) { return row.param.name; });

TEST(rpm_list, other_text_is_no_package) {
  EXPECT_TRUE(parse_rpm_list("package nvidia-driver is not installed\n"
                             "kmod-nvidia-open-595.58.03-... (built for 5.14.0-611.41.1.el9_7)\n"
                             "nvidia-open-driver-G06-signed-cuda-kmp-default-580...\n"
                             "bash\n-\n--\n-1-1\n3:-1-1\n\n")
                  .empty());
}

TEST(pacman_list, reads_name_and_version) {
  EXPECT_EQ(in_words(parse_pacman_list("linux 6.14.4.arch1-2\nnvidia-utils 570.144-3\nfoo-git 1:r12.gabcdef0-1\n"
                                       "error: package 'nvidia' was not found\n")),
            (words{"linux 6.14.4.arch1-2 installed", "nvidia-utils 570.144-3 installed",
                   "foo-git 1:r12.gabcdef0-1 installed"}));
}

} // namespace
} // namespace gpucert
