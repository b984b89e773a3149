// SPDX-License-Identifier: Apache-2.0
// A healthy node of each platform: a check that cries wolf is switched off by those whom it should wake.
#include "tests/certify/running.h"

namespace gpucert {
namespace {

std::vector<std::string> healthy_nodes() {
  std::vector<std::string> names;
  for (const std::string &name : node_names())
    if (name.starts_with("healthy_"))
      names.push_back(name);
  return names;
}

class capture_healthy : public testing::TestWithParam<std::string> {};

TEST_P(capture_healthy, gives_neither_fault_nor_warning) {
  const command_result ran = run_gpucert({"check", "--root", nodes_folder + GetParam(), "--format", "json"});
  EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 3) << ran.exit_code;
  const json stack = stack_of(ran);
  for (const json &found : stack.at("findings"))
    EXPECT_EQ(found.at("severity"), "info") << found.at("id") << ": " << found.at("saw");
}

INSTANTIATE_TEST_SUITE_P(nodes, capture_healthy, testing::ValuesIn(healthy_nodes()),
                         [](const auto &node) { return node.param; });

TEST(capture_healthy_nodes, there_is_one_of_each_platform) { EXPECT_GE(healthy_nodes().size(), 10U); }

} // namespace
} // namespace gpucert
