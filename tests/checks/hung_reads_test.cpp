// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

TEST(hung_reads, make_the_node_unknown) {
  node_evidence node = healthy_node();
  EXPECT_TRUE(in_words(judge("hung_reads", node)).empty());
  node.hung_reads = {"/proc/driver/nvidia/version"};
  EXPECT_EQ(in_words(judge("hung_reads", node)),
            std::vector<std::string>{"? what stands in /proc/driver/nvidia/version"});
}

} // namespace
} // namespace gpucert
