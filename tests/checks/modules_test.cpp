// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node) {
  const judgement result = judge("modules", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

node_evidence node_without_module() {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.nvidia = fact<loaded_module>::absent("/proc/driver/nvidia/version");
  node.modules.names = loaded_are({"ext4"});
  return node;
}

const words not_loaded{"driver.module-not-loaded"};

TEST(modules, of_a_healthy_node) { EXPECT_EQ(judged(healthy_node()), words{}); }

TEST(modules, none_in_memory) {
  EXPECT_EQ(judged(node_without_module()), not_loaded);
  node_evidence node = node_without_module();
  node.module_on_disk = nobody_knows<module_file>();
  EXPECT_EQ(judged(node), not_loaded) << "that none is on disk must be known before it is said";
}

TEST(modules, none_for_the_running_kernel) {
  node_evidence node = node_without_module();
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  EXPECT_EQ(judged(node), (words{"driver.no-module-for-running-kernel", "driver.module-not-loaded"}));
}

TEST(modules, that_nobody_knows) {
  node_evidence node = healthy_node();
  node.modules = {};
  EXPECT_EQ(judged(node), words{"? loaded modules"});
}

TEST(modules, of_different_releases) {
  node_evidence node = healthy_node("410.73");
  node.modules.versions.insert_or_assign("nvidia_modeset",
                                         fact<kernel_module_version>::known({release("390.87")}, "/sys/module"));
  EXPECT_EQ(judged(node), words{"driver.submodule-version-mismatch"});
  node.modules.versions.insert_or_assign("nvidia_modeset", nobody_knows<kernel_module_version>());
  EXPECT_EQ(judged(node), words{}) << "unknown is not different";
  node.modules.versions.erase("nvidia");
  node.modules.versions.insert_or_assign("nvidia_drm",
                                         fact<kernel_module_version>::known({release("390.87")}, "/sys/module"));
  EXPECT_EQ(judged(node), words{}) << "and nothing is known to compare it with";
}

TEST(modules, are_not_expected_without_a_gpu_for_them) {
  node_evidence node = node_without_module();
  node.gpus = gpus_are({});
  EXPECT_EQ(judged(node), words{});
  node.gpus = gpus_are({gpu("0000:01:00.0", "vfio-pci"), gpu("0000:02:00.0", "vfio-pci")});
  EXPECT_EQ(judged(node), words{}) << "a host that gives all its GPUs to virtual machines";
  node.gpus = gpus_are({gpu("0000:01:00.0", "vfio-pci"), gpu("0000:02:00.0", "")});
  EXPECT_EQ(judged(node), not_loaded);
}

TEST(modules, of_jetson_and_wsl2_are_left_alone) {
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = node_without_module();
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
  }
}

TEST(modules, without_a_driver_are_not_expected) {
  node_evidence node = node_without_gpu();
  node.gpus = gpus_are({gpu("0000:01:00.0", "")});
  EXPECT_EQ(judged(node), words{}) << "gpu_count says that no driver is installed";
}

} // namespace
} // namespace gpucert
