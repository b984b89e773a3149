// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node) {
  const judgement result = judge("other_driver", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

const words bound{"driver.other-driver-bound"};

other_driver_report reported(std::optional<std::string> driver) {
  return {"0000:01:00.0", std::move(driver), "NVRM: GPU 0000:01:00.0 is already bound to nouveau."};
}

TEST(other_driver, of_a_healthy_node) { EXPECT_EQ(judged(healthy_node()), words{}); }

TEST(other_driver, holds_a_gpu) {
  node_evidence node = healthy_node();
  for (const char *driver : {"nouveau", "nova_core"}) {
    node.gpus = gpus_are({gpu("0000:01:00.0"), gpu("0000:02:00.0", driver)});
    EXPECT_EQ(judged(node), bound) << driver;
  }
}

TEST(other_driver, passthrough_and_unbound_are_no_fault) {
  node_evidence node = healthy_node();
  node.gpus = gpus_are({gpu("0000:01:00.0", "vfio-pci"), gpu("0000:02:00.0", "pci-stub"), gpu("0000:03:00.0", "")});
  EXPECT_EQ(judged(node), words{});
}

TEST(other_driver, the_log_is_history_where_pci_answers) {
  node_evidence node = healthy_node();
  node.log = log_of({}, {reported("nouveau")});
  EXPECT_EQ(judged(node), words{});
}

TEST(other_driver, the_log_speaks_where_pci_does_not) {
  node_evidence node = healthy_node();
  node.gpus = nobody_knows<std::vector<pci_gpu>>();
  EXPECT_EQ(judged(node), words{"? NVIDIA devices on PCI"});
  node.log = log_of({}, {reported("nouveau")});
  EXPECT_EQ(judged(node), bound);
  node.log = log_of({}, {reported(std::nullopt)});
  EXPECT_EQ(judged(node), bound);
  node.log = log_of({}, {reported("vfio-pci")});
  EXPECT_EQ(judged(node), words{"? NVIDIA devices on PCI"});
  node.log = nobody_knows<kernel_log>();
  EXPECT_EQ(judged(node), words{"? NVIDIA devices on PCI"});
}

TEST(other_driver, one_unknown_binding_among_known_ones) {
  node_evidence node = healthy_node();
  pci_gpu unread = gpu("0000:02:00.0");
  unread.bound_driver = nobody_knows<std::string>();
  node.gpus = gpus_are({gpu("0000:01:00.0"), unread});
  EXPECT_EQ(judged(node), words{"? driver bound to 0000:02:00.0"});
  node.gpus = gpus_are({gpu("0000:01:00.0", "nouveau"), unread});
  EXPECT_EQ(judged(node), bound);
}

TEST(other_driver, absent_pci_is_no_gpu) {
  node_evidence node = healthy_node();
  node.gpus = fact<std::vector<pci_gpu>>::absent("/sys/bus/pci/devices");
  EXPECT_EQ(judged(node), words{});
}

TEST(other_driver, of_jetson_and_wsl2_is_left_alone) {
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = healthy_node();
    node.gpus = nobody_knows<std::vector<pci_gpu>>();
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
  }
}

} // namespace
} // namespace gpucert
