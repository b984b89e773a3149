// SPDX-License-Identifier: Apache-2.0
#include "checks/way_back.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

node_evidence node_after(package_transaction run) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  node.history = history_is({std::move(run)});
  return node;
}

node_evidence upgraded_node() { return node_after(apt_moved("535.161.07", "550.54.15")); }

fact<std::vector<obtainable_package>> obtainable(std::string_view version) {
  return fact<std::vector<obtainable_package>>::known(
      {{"libnvidia-compute-550", {std::string(version)}, "/var/cache/apt/archives/x.deb"}}, "package caches");
}

TEST(way_back, names_the_release_from_before) {
  const auto way = find_way_back(upgraded_node());
  ASSERT_TRUE(way);
  EXPECT_EQ(way->release, "535.161.07");
  EXPECT_EQ(way->commands, (words{"apt-get install --allow-downgrades libnvidia-compute-550=535.161.07-0ubuntu1",
                                  "apt-mark hold libnvidia-compute-550"}));
  EXPECT_EQ(way->needs_reboot, false); // the module in memory never left it
}

TEST(way_back, says_whether_its_packages_are_to_be_had) {
  node_evidence node = upgraded_node();
  EXPECT_EQ(find_way_back(node)->is_obtainable, std::nullopt);
  node.old_packages.kept = obtainable("535.161.07-0ubuntu1");
  EXPECT_EQ(find_way_back(node)->is_obtainable, true);
  node.old_packages.kept = obtainable("535.183.01-0ubuntu1");
  EXPECT_EQ(find_way_back(node)->is_obtainable, std::nullopt);
  node.old_packages.offered = fact<std::vector<obtainable_package>>::known({}, "/var/lib/apt/lists");
  EXPECT_EQ(find_way_back(node)->is_obtainable, false);
  node.old_packages.offered = obtainable("535.161.07-0ubuntu1");
  EXPECT_EQ(find_way_back(node)->is_obtainable, true);
}

TEST(way_back, of_a_branch_that_was_exchanged) {
  package_transaction run = apt_moved("", "");
  run.changes = {{package_action::remove, "libnvidia-compute-535", "amd64", package_version{"535.161.07-0ubuntu1"}, {}},
                 {package_action::install, "libnvidia-compute-550", "amd64", {}, package_version{"550.54.15-0ubuntu1"}},
                 {package_action::upgrade, "bash", "amd64", package_version{"5.1"}, package_version{"5.2"}}};
  EXPECT_EQ(find_way_back(node_after(run))->commands.front(),
            "apt-get install --allow-downgrades libnvidia-compute-535=535.161.07-0ubuntu1 libnvidia-compute-550-");
}

TEST(way_back, by_other_package_managers) {
  package_transaction run = apt_moved("535.161.07", "550.54.15", "");
  run.changes = {{package_action::upgrade, "nvidia-driver-cuda", "x86_64", package_version{"3:535.161.07-1.el9"},
                  package_version{"3:550.54.15-1.el9"}}};
  run.source = "/var/log/dnf.rpm.log";
  EXPECT_EQ(find_way_back(node_after(run))->commands.front(), "dnf downgrade nvidia-driver-cuda-3:535.161.07-1.el9");
  run.source = "/var/log/zypp/history";
  EXPECT_EQ(find_way_back(node_after(run))->commands.front(),
            "zypper install --oldpackage nvidia-driver-cuda=3:535.161.07-1.el9");
  run.source = "/var/log/pacman.log";
  run.changes.front().name = "nvidia-utils";
  node_evidence node = node_after(run);
  EXPECT_EQ(find_way_back(node)->commands, words{});
  node.old_packages.kept = fact<std::vector<obtainable_package>>::known(
      {{"nvidia-utils", {"3:535.161.07-1.el9"}, "/var/cache/pacman/pkg/old.pkg.tar.zst"}}, "package caches");
  EXPECT_EQ(find_way_back(node)->commands, words{"pacman -U /var/cache/pacman/pkg/old.pkg.tar.zst"});
}

TEST(way_back, says_what_a_reboot_would_load) {
  node_evidence node = upgraded_node();
  EXPECT_NE(find_way_back(node)->next_boot.find("No kernel"), std::string::npos);
  node.on_disk.dkms =
      fact<dkms_status>::known(parse_dkms_status("nvidia/535.161.07, 6.5.0, x86_64: installed\n"), "dkms status");
  node.on_disk.kernels.module_folders = fact<std::vector<std::string>>::known({"6.5.0", "6.8.0"}, "/lib/modules");
  EXPECT_NE(find_way_back(node)->next_boot.find("A reboot into 6.5.0 loads module 535.161.07"), std::string::npos);
}

TEST(way_back, needs_a_log_that_still_holds) {
  node_evidence node = upgraded_node();
  node.libraries = libraries_of("570.124.06"); // they moved on, and no log says how
  EXPECT_FALSE(find_way_back(node));
  EXPECT_FALSE(find_way_back(healthy_node()));
  node = upgraded_node();
  node.history = nobody_knows<std::vector<package_transaction>>();
  EXPECT_FALSE(find_way_back(node));
}

TEST(way_back, is_no_answer_to_broken_hardware) {
  EXPECT_TRUE(may_go_back_from("driver.module-older-than-userspace"));
  EXPECT_FALSE(may_go_back_from("hw.fell-off-bus"));
}

} // namespace
} // namespace gpucert
