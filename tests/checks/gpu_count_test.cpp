// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node, std::optional<int> expected = {}) {
  const judgement result = judge("gpu_count", node, {expected});
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

const words missing{"hw.gpu-missing"};

TEST(gpu_count, of_a_healthy_node) {
  EXPECT_EQ(judged(healthy_node()), words{});
  EXPECT_EQ(judged(healthy_node(), 1), words{});
}

TEST(gpu_count, fewer_than_the_operator_expects) { EXPECT_EQ(judged(healthy_node(), 8), missing); }

TEST(gpu_count, fewer_by_nvml_than_by_pci) {
  node_evidence node = healthy_node();
  node.gpus = gpus_are({gpu("0000:01:00.0"), gpu("0000:02:00.0")});
  EXPECT_EQ(judged(node), missing);
  node.nvml = nvml_counts(0);
  EXPECT_EQ(judged(node), words{"driver.no-devices"});
  node.nvml = nvml_counts(2);
  EXPECT_EQ(judged(node), words{});
  node.nvml = nvml_fails_with(9);
  EXPECT_EQ(judged(node), words{}) << "NVML that does not answer counts nothing";
  node.nvml = nobody_knows<nvml_record>();
  EXPECT_EQ(judged(node), words{});
}

TEST(gpu_count, gpus_of_virtual_machines_are_not_nvmls) {
  node_evidence node = healthy_node();
  node.gpus = gpus_are({gpu("0000:01:00.0"), gpu("0000:02:00.0", "vfio-pci")});
  EXPECT_EQ(judged(node), words{});
  EXPECT_EQ(judged(node, 2), words{}) << "but they are there";
  node.gpus = gpus_are({gpu("0000:02:00.0", "vfio-pci")});
  node.nvml = nvml_counts(0);
  EXPECT_EQ(judged(node), words{});
}

TEST(gpu_count, driver_without_a_gpu) {
  node_evidence node = healthy_node();
  node.gpus = gpus_are({});
  node.nvml = nvml_counts(0);
  EXPECT_EQ(judged(node), words{"hw.no-gpu"});
}

TEST(gpu_count, gpu_without_a_driver) {
  node_evidence node = node_without_gpu();
  node.gpus = gpus_are({gpu("0000:01:00.0", "")});
  EXPECT_EQ(judged(node), words{"driver.not-installed"});
}

TEST(gpu_count, neither_is_no_fault) {
  EXPECT_EQ(judged(node_without_gpu()), words{});
  EXPECT_EQ(judged(node_without_gpu(), 1), missing) << "unless the operator says that it is a GPU node";
}

TEST(gpu_count, of_a_node_whose_driver_nobody_knows) {
  node_evidence node = node_without_gpu();
  node.packages = nobody_knows<std::vector<installed_package>>();
  EXPECT_EQ(judged(node), words{"? whether a driver is installed"});
  EXPECT_EQ(judged(node, 8), (words{"hw.gpu-missing", "? whether a driver is installed"}))
      << "the operator's word needs no driver to be judged";
}

TEST(gpu_count, names_the_fact_that_is_missing) {
  node_evidence node = node_without_gpu();
  node.module_on_disk = fact<module_file>::unknown("modinfo nvidia", "not readable");
  const judgement result = judge("gpu_count", node);
  ASSERT_EQ(result.unknown().size(), 1U);
  EXPECT_EQ(result.unknown()[0].source, "modinfo nvidia");
  EXPECT_EQ(result.unknown()[0].why, "not readable");
}

TEST(gpu_count, that_nobody_knows) {
  node_evidence node = healthy_node();
  node.gpus = nobody_knows<std::vector<pci_gpu>>();
  EXPECT_EQ(judged(node), words{"? NVIDIA devices on PCI"});
}

TEST(gpu_count, of_jetson_and_wsl2_is_left_alone) {
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = healthy_node();
    node.gpus = gpus_are({});
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
  }
}

} // namespace
} // namespace gpucert
