// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

constexpr const char *units[] = {"reported_symptoms", "cuda_compat",     "cuda_runtime",      "library_copies",
                                 "library_presence",  "container_state", "cdi_specification", "fabric_manager",
                                 "environment",       "platform_kind",   "stale_users"};

node_evidence node_that_said(std::string_view source, std::string_view text) {
  node_evidence node = healthy_node();
  find_reported_messages(source, text, node.messages);
  return node;
}

words judged(std::string_view unit, const node_evidence &node) {
  const judgement result = judge(unit, node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

TEST(user_space_checks, are_silent_on_healthy_nodes) {
  for (const char *unit : units) {
    EXPECT_EQ(judged(unit, healthy_node()), words{}) << unit;
    EXPECT_EQ(judged(unit, node_without_gpu()), words{}) << unit;
  }
}

TEST(user_space_checks, two_copies_of_one_library) {
  node_evidence node = healthy_node();
  node.libraries.value->push_back(library("libcuda.so.1", "535.54.03", "/opt/old"));
  EXPECT_EQ(judged("library_copies", node), words{"userspace.multiple-library-copies"});
  node.libraries.value->back() = library("libcuda.so.1", "535.54.03", "/usr/local/cuda/compat");
  EXPECT_EQ(judged("library_copies", node), words{}) << "a compatibility copy is another one on purpose";
}

TEST(user_space_checks, variables_that_hide_gpus) {
  const auto with = [](std::string_view text) {
    node_evidence node = healthy_node();
    node.userspace.environment = fact<process_environment>::known(parse_environment(text), "commands/env.txt");
    return judged("environment", node);
  };
  const words hidden{"env.cuda-visible-devices"};
  EXPECT_EQ(with("CUDA_VISIBLE_DEVICES=0"), words{});
  EXPECT_EQ(with("CUDA_VISIBLE_DEVICES=GPU-0"), words{});
  EXPECT_EQ(with("CUDA_VISIBLE_DEVICES="), hidden);
  EXPECT_EQ(with("CUDA_VISIBLE_DEVICES=bash"), hidden);
  EXPECT_EQ(with("CUDA_VISIBLE_DEVICES=0,7"), hidden);
  EXPECT_EQ(with("CUDA_LAUNCH_BLOCKING=1"), words{"env.debug-variables"});
  EXPECT_EQ(with("CUDA_LAUNCH_BLOCKING=0"), words{});
}

TEST(user_space_checks, fabric_manager_where_there_are_switches) {
  node_evidence node = healthy_node();
  node.packages = packages_are({package("nvidia-fabricmanager-550", "550.90.07-1")});
  node.userspace.fabric.switches = fact<std::vector<std::string>>::known({"0000:05:00.0"}, "/sys/bus/pci/devices");
  EXPECT_EQ(judged("fabric_manager", node), words{"fabric.manager-version-mismatch"});
  node.userspace.fabric.switches.value->clear();
  EXPECT_EQ(judged("fabric_manager", node), words{}) << "no switch, no need";
}

TEST(user_space_checks, error_803_follows_the_library_path) {
  const char *error = "Error 803: system has unsupported display driver / cuda driver combination";
  EXPECT_EQ(judged("cuda_compat", node_that_said("symptoms/cuda_error.txt", error)),
            words{"userspace.version-mismatch"});
  node_evidence node = node_that_said("symptoms/cuda_error.txt", error);
  node.libraries.value->insert(node.libraries.value->begin(),
                               library("libcuda.so.1", "560.35.03", "/usr/local/cuda/compat"));
  EXPECT_EQ(judged("cuda_compat", node), words{"userspace.cuda-compat-conflict"});
}

} // namespace
} // namespace gpucert
