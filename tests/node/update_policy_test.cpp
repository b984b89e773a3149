// SPDX-License-Identifier: Apache-2.0
#include "node/name_pattern.h"
#include "node/pci_link.h"
#include "node/update_policy.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

std::vector<std::string> blacklist(std::initializer_list<std::string_view> files) {
  apt_configuration apt;
  for (const std::string_view text : files)
    apt.add_file(text, "file");
  std::vector<std::string> values;
  for (const apt_option &option : apt.list("Unattended-Upgrade::Package-Blacklist"))
    values.push_back(option.value);
  return values;
}

using texts = std::vector<std::string>;

TEST(apt_configuration, lists_append_across_files) {
  EXPECT_EQ(
      blacklist({"Unattended-Upgrade::Package-Blacklist {\n \"nvidia-\";\n // \"no\";\n # \"no\";\n /* \"no\"; */\n};",
                 "unattended-upgrade::PACKAGE-BLACKLIST:: \"libnvidia-\";"}),
      (texts{"nvidia-", "libnvidia-"}));
}

TEST(apt_configuration, clear_empties_a_list) {
  EXPECT_EQ(
      blacklist({"Unattended-Upgrade { Package-Blacklist { \"a\"; }; };",
                 "#clear Unattended-Upgrade::Package-Blacklist;\nUnattended-Upgrade::Package-Blacklist:: \"b\";"}),
      texts{"b"});
}

TEST(apt_configuration, the_last_value_counts) {
  apt_configuration apt;
  apt.add_file("APT::Periodic::Unattended-Upgrade \"1\"; Acquire::http::Proxy \"http://proxy//x\";", "20auto-upgrades");
  apt.add_file("APT { Periodic { Unattended-Upgrade \"0\"; } }", "99local");
  EXPECT_EQ(apt.value("APT::Periodic::Unattended-Upgrade"), "0");
  EXPECT_EQ(apt.value("Acquire::http::Proxy"), "http://proxy//x");
  EXPECT_FALSE(apt.value("APT::Periodic"));
}

TEST(apt_configuration, takes_any_text) {
  for (const char *text : {"", "\"", "{", "}", "/*", "#clear", "a { b { \"", ";;;;"})
    EXPECT_EQ(blacklist({text}), texts{}) << text;
}

TEST(apt_configuration, names_of_files) {
  EXPECT_TRUE(is_read_by_apt("50unattended-upgrades", ".conf"));
  EXPECT_TRUE(is_read_by_apt("nv.conf", ".conf"));
  EXPECT_FALSE(is_read_by_apt("nv.bak", ".conf"));
  EXPECT_FALSE(is_read_by_apt("50unattended-upgrades.dpkg-old", ".conf"));
}

TEST(apt_preferences, records) {
  const auto pins =
      parse_apt_preferences("# note\nPackage: nvidia-* libcuda1\nPin: release o=NVIDIA\nPin-Priority: -1\n\n"
                            "Package: half\n",
                            "nv.pref");
  ASSERT_EQ(pins.size(), 1U);
  EXPECT_EQ(pins[0].packages, (texts{"nvidia-*", "libcuda1"}));
  EXPECT_EQ(pins[0].pin, "release o=NVIDIA");
  EXPECT_EQ(pins[0].priority, -1);
}

TEST(dnf_configuration, ini_and_locks) {
  EXPECT_EQ(ini_value("[commands]\n# apply_updates = no\napply_updates = yes\n", "commands", "apply_updates"), "yes");
  EXPECT_FALSE(ini_value("[emitters]\napply_updates = yes\n", "commands", "apply_updates"));
  EXPECT_EQ(ini_value("[main]\nexcludepkgs=nvidia-*\n  kmod-nvidia*\n", "", "excludepkgs"), "nvidia-* kmod-nvidia*");
  EXPECT_EQ(parse_versionlock("# comment\nnvidia-driver-3:580.65.06-1.el9.*\n!kernel-0:5.14-1.*\n"),
            texts{"nvidia-driver"});
}

TEST(name_pattern, matches_as_python_does) {
  EXPECT_TRUE(name_pattern("nvidia-*").matches("nvidiax")) << "zero or more dashes";
  EXPECT_FALSE(name_pattern("nvidia-").matches("libnvidia-compute-580")) << "anchored at the start";
  EXPECT_TRUE(name_pattern(".*nvidia.*").matches("libnvidia-compute-580"));
  EXPECT_TRUE(name_pattern("nvidia-driver").matches("nvidia-driver-580")) << "not anchored at the end";
  EXPECT_FALSE(name_pattern("NVIDIA-").matches("nvidia-driver-580"));
  EXPECT_FALSE(name_pattern("*nvidia*").is_valid());
  EXPECT_FALSE(name_pattern("(a+)+$").matches(std::string(200, 'a') + "b")) << "bounded";
}

TEST(pci_link, words_of_the_kernel) {
  EXPECT_EQ(parse_link_speed("16.0 GT/s PCIe\n"), 160);
  EXPECT_EQ(parse_link_speed("2.5 GT/s"), 25);
  EXPECT_EQ(parse_link_speed("8 GT/s"), 80);
  EXPECT_FALSE(parse_link_speed("Unknown"));
  EXPECT_EQ(parse_link_width("16\n"), 16);
  EXPECT_FALSE(parse_link_width("255"));
  EXPECT_FALSE(parse_link_width("0"));
  EXPECT_EQ(parse_aer_counts("Undefined 0\nDLP 2\nUnsupReq 7\nTOTAL_ERR_NONFATAL 9\n"), 2);
  EXPECT_FALSE(parse_aer_counts(""));
}

} // namespace
} // namespace gpucert
