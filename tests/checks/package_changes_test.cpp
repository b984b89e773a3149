// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node) {
  const judgement result = judge("package_changes", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

const words changed{"packages.unattended-upgrade-changed-driver"};

node_evidence node_with(std::vector<package_transaction> history, std::string_view loaded) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc(loaded);
  node.history = history_is(std::move(history));
  return node;
}

TEST(package_changes, an_automatic_upgrade_that_the_module_has_not_followed) {
  EXPECT_EQ(judged(node_with({apt_moved("535.161.07", "550.54.15")}, "535.161.07")), changed);
}

TEST(package_changes, that_were_followed_are_history) {
  EXPECT_EQ(judged(node_with({apt_moved("535.161.07", "550.54.15")}, "550.54.15")), words{});
  EXPECT_EQ(judged(node_with({}, "550.54.15")), words{});
}

TEST(package_changes, of_a_person_are_a_decision) {
  EXPECT_EQ(judged(node_with({apt_moved("535.161.07", "550.54.15", "apt upgrade")}, "535.161.07")), words{});
}

TEST(package_changes, only_the_latest_one_counts) {
  EXPECT_EQ(
      judged(node_with({apt_moved("535.54.03", "535.161.07"), apt_moved("535.161.07", "550.54.15", "apt upgrade")},
                       "535.161.07")),
      words{});
}

TEST(package_changes, an_automatic_removal_is_one) {
  EXPECT_EQ(judged(node_with({apt_moved("535.161.07", "")}, "535.161.07")), changed);
}

TEST(package_changes, without_a_known_module_need_a_reported_mismatch) {
  node_evidence node = node_with({apt_moved("535.161.07", "550.54.15")}, "535.161.07");
  node.modules = {};
  EXPECT_EQ(judged(node), words{});
  node.symptoms = {{"symptoms/x.txt", "Driver/library version mismatch"}};
  EXPECT_EQ(judged(node), changed);
}

TEST(package_changes, that_nobody_knows) {
  node_evidence node = healthy_node();
  node.history = nobody_knows<std::vector<package_transaction>>();
  EXPECT_EQ(judged(node), words{"? package history"});
}

TEST(package_changes, of_jetson_and_wsl2_are_left_alone) { // their module counts otherwise, or is Windows'
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = node_with({apt_moved("535.161.07", "550.54.15")}, "35.3.1");
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
  }
}

} // namespace
} // namespace gpucert
