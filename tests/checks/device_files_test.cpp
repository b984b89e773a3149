// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node) {
  const judgement result = judge("device_files", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

const words missing{"nodes.device-files-missing"};

TEST(device_files_check, of_a_healthy_node) { EXPECT_EQ(judged(healthy_node()), words{}); }

TEST(device_files_check, none_or_no_control_file) {
  node_evidence node = healthy_node();
  node.device_files = files_are({"/dev/nvidia0", "/dev/nvidia-uvm"});
  EXPECT_EQ(judged(node), missing);
}

TEST(device_files_check, fewer_than_gpus) {
  node_evidence node = healthy_node();
  node.gpus = gpus_are({gpu("0000:01:00.0"), gpu("0000:02:00.0")});
  EXPECT_EQ(judged(node), missing);
  node.gpus = gpus_are({gpu("0000:01:00.0"), gpu("0000:02:00.0", "vfio-pci")});
  EXPECT_EQ(judged(node), words{}) << "a GPU that is passed through has no file";
  node.device_files = files_are({"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-modeset"});
  EXPECT_EQ(judged(node), missing) << "other names count for no GPU";
}

TEST(device_files_check, no_file_of_unified_memory) {
  node_evidence node = healthy_node();
  node.device_files = files_are({"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm-tools"});
  EXPECT_EQ(judged(node), words{"nodes.uvm-missing"});
}

TEST(device_files_check, none_at_all) {
  node_evidence node = healthy_node();
  node.device_files = files_are({});
  EXPECT_EQ(judged(node), missing);
  node.modules = {};
  node.modules.names = loaded_are({"ext4"});
  EXPECT_EQ(judged(node), words{}) << "no module makes files: check modules tells why";
}

TEST(device_files_check, none_and_no_gpu_that_needs_them) {
  node_evidence node = healthy_node();
  node.device_files = files_are({});
  node.gpus = gpus_are({gpu("0000:01:00.0", "nouveau")});
  EXPECT_EQ(judged(node), words{}) << "other_driver tells why";
  node.gpus = nobody_knows<std::vector<pci_gpu>>();
  EXPECT_EQ(judged(node), words{"? GPUs that the driver holds"});
}

TEST(device_files_check, that_nobody_knows) {
  node_evidence node = healthy_node();
  node.device_files = nobody_knows<std::vector<device_file>>();
  EXPECT_EQ(judged(node), words{"? files in /dev"});
}

TEST(device_files_check, of_jetson_wsl2_and_machines_without_a_driver_are_left_alone) {
  node_evidence node = healthy_node();
  node.device_files = files_are({});
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node.platform = {};
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
  }
  EXPECT_EQ(judged(node_without_gpu()), words{});
}

} // namespace
} // namespace gpucert
