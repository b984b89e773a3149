// SPDX-License-Identifier: Apache-2.0
#include "checks/update_protection.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

const words incomplete{"packages.blacklist-incomplete"}, not_held{"packages.driver-not-held"};

/// Ubuntu with upgrades that run by themselves, and this blacklist.
node_evidence node_with(std::initializer_list<const char *> patterns) {
  node_evidence node = healthy_node();
  node.packages =
      packages_are({package("nvidia-driver-580", "580.95.05-0ubuntu0.22.04.1"),
                    package("libnvidia-compute-580", "580.95.05-0ubuntu0.22.04.1"), package("bash", "5.1-6ubuntu1")});
  node.update_policy.apt_upgrades_itself = true;
  for (const char *pattern : patterns)
    node.update_policy.blacklist.push_back({"", pattern, "/etc/apt/apt.conf.d/50unattended-upgrades"});
  return node;
}

words judged(const node_evidence &node) {
  const judgement result = judge("update_policy", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

TEST(update_policy, patterns_match_at_the_start_only) {
  EXPECT_EQ(judged(node_with({})), not_held);
  EXPECT_EQ(judged(node_with({"nvidia-"})), incomplete);
  EXPECT_EQ(judged(node_with({"nvidia-*", "libnvidia-*"})), words{});
  EXPECT_EQ(judged(node_with({".*nvidia.*"})), words{});
}

TEST(update_policy, patterns_that_stop_all_upgrades) {
  EXPECT_EQ(judged(node_with({".*nvidia", "*nvidia*"})), incomplete);
  EXPECT_EQ(judged(node_with({".*nvidia", "NVIDIA-"})), incomplete);
}

TEST(update_policy, no_alarm_where_nothing_upgrades_the_driver) {
  node_evidence node = node_with({"nvidia-"});
  node.update_policy.apt_upgrades_itself = false;
  EXPECT_EQ(judged(node), words{});
  node = node_with({});
  node.update_policy.apt_upgrades_itself = std::nullopt;
  EXPECT_EQ(judged(node), words{});
  node = node_with({"nvidia-"});
  node.packages = nobody_knows<std::vector<installed_package>>();
  EXPECT_EQ(judged(node), words{});
  node = node_with({});
  node.packages = packages_are({package("nvidia-driver-580", "580.95.05-1ubuntu1")}); // NVIDIA's repository
  node.update_policy.origins.push_back({"", "Ubuntu:jammy-security", "f"});
  EXPECT_EQ(judged(node), words{});
  node.update_policy.origins.push_back({"", "origin=NVIDIA", "f"});
  EXPECT_EQ(judged(node), not_held);
}

TEST(update_policy, holds_and_pins_count) {
  node_evidence node = node_with({});
  for (installed_package &package : *node.packages.value)
    package.is_held = true;
  EXPECT_EQ(judged(node), words{});
  node = node_with({});
  node.update_policy.pins.push_back({{"*nvidia*"}, "release o=NVIDIA", -1, "f"});
  EXPECT_EQ(judged(node), words{});
  node.update_policy.pins[0] = {{"*nvidia*"}, "version 580.*", 1001, "f"};
  EXPECT_EQ(judged(node), not_held) << "moves within the branch";
  node.update_policy.pins[0] = {{"*nvidia*"}, "version 580.95.05*", 1001, "f"};
  EXPECT_EQ(judged(node), words{});
  node.update_policy.pins[0] = {{"*nvidia*"}, "release o=NVIDIA", 100, "f"};
  EXPECT_EQ(judged(node), not_held) << "100 does not keep";
}

TEST(update_policy, of_dnf) {
  node_evidence node = healthy_node();
  node.packages =
      packages_are({package("nvidia-driver-cuda", "580.95.05-1.el9"), package("libnvidia-ml", "580.95.05-1.el9")});
  EXPECT_EQ(judged(node), words{});
  node.update_policy.dnf_upgrades_itself = true;
  EXPECT_EQ(judged(node), not_held);
  node.update_policy.dnf_locks = {"nvidia-driver-cuda"};
  EXPECT_EQ(judged(node), incomplete);
  node.update_policy.dnf_excludes = {"*nvidia*"};
  EXPECT_EQ(judged(node), words{});
}

TEST(update_policy, keeps_what_the_printed_configuration_names) {
  node_evidence node = node_with({});
  apt_configuration apt;
  apt.add_file(write_update_policy(installed_driver_packages(node), policy_format::apt_configuration), "52gpucert");
  node.update_policy.blacklist = apt.list("Unattended-Upgrade::Package-Blacklist");
  EXPECT_EQ(node.update_policy.blacklist.size(), 2U);
  EXPECT_EQ(judged(node), words{});
  node = node_with({});
  node.update_policy.pins =
      parse_apt_preferences(write_update_policy(installed_driver_packages(node), policy_format::apt_pins), "gpucert");
  EXPECT_EQ(judged(node), words{});
}

TEST(update_policy, a_name_that_is_none_goes_into_no_configuration) {
  node_evidence node = healthy_node();
  node.packages = packages_are({package("nvidia-driver-570-open\"; system(\"reboot\"); #", "570.133.20-1"),
                                package("libnvidia-compute-570", "570.133.20-1")});
  const auto packages = installed_driver_packages(node);
  ASSERT_EQ(packages.size(), 1U);
  EXPECT_EQ(packages[0]->name, "libnvidia-compute-570");
}

} // namespace
} // namespace gpucert
