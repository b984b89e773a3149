// SPDX-License-Identifier: Apache-2.0
#include "checks/next_boot.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

node_evidence node_that_boots(std::string_view kernel, fact<module_file> module) {
  node_evidence node = healthy_node();
  node.on_disk.next = next_kernel{std::string(kernel), "boot.list", "the default entry of the boot loader"};
  node.on_disk.next_module = std::move(module);
  return node;
}

TEST(next_boot, of_a_healthy_node) {
  const node_evidence node = node_that_boots("6.9.0", module_file_of("550.54.15"));
  EXPECT_EQ(in_words(judge("next_boot", node)), words{});
  EXPECT_EQ(foresee_next_boot(node).is_coherent, true);
}

TEST(next_boot, without_a_module) {
  const node_evidence node = node_that_boots("6.9.0", fact<module_file>::absent("modinfo"));
  EXPECT_EQ(in_words(judge("next_boot", node)), words{"driver.no-module-for-next-kernel"});
  EXPECT_EQ(foresee_next_boot(node).is_coherent, false);
}

TEST(next_boot, with_a_module_that_nobody_knows) {
  const node_evidence node = node_that_boots("6.9.0", nobody_knows<module_file>());
  EXPECT_EQ(in_words(judge("next_boot", node)), words{"? what a reboot would load"});
  EXPECT_EQ(foresee_next_boot(node).is_coherent, std::nullopt);
}

TEST(next_boot, with_an_old_copy_in_the_initramfs) {
  node_evidence node = node_that_boots("6.8.0", module_file_of("550.54.15"));
  node.on_disk.in_initramfs = module_file_of("535.161.07");
  EXPECT_EQ(in_words(judge("next_boot", node)), words{"driver.module-in-initramfs-stale"});
  const next_boot boot = foresee_next_boot(node);
  EXPECT_EQ(boot.is_coherent, false);
  EXPECT_EQ(boot.module_release, "535.161.07") << "the copy in the initramfs is what would be loaded";
}

TEST(next_boot, of_a_kernel_that_may_have_been_removed_is_unknown) {
  node_evidence node = node_that_boots("6.9.0", fact<module_file>::absent("modinfo"));
  node.on_disk.next->is_sure = false;
  EXPECT_EQ(in_words(judge("next_boot", node)), words{"? what a reboot would load"});
}

TEST(next_boot, with_module_and_libraries_of_different_releases) {
  const node_evidence node = node_that_boots("6.9.0", module_file_of("535.161.07"));
  EXPECT_EQ(foresee_next_boot(node).is_coherent, false);
}

TEST(next_boot, with_an_unsigned_module_under_secure_boot_is_unknown_while_nothing_is_loaded) {
  node_evidence node = node_that_boots("6.9.0", module_file_of("550.54.15"));
  node.on_disk.is_secure_boot = fact<bool>::known(true, "SecureBoot");
  EXPECT_EQ(foresee_next_boot(node).is_coherent, true) << "the kernel has taken the module once";
  node.modules.names = loaded_are({"ext4"});
  EXPECT_EQ(foresee_next_boot(node).is_coherent, std::nullopt);
}

} // namespace
} // namespace gpucert
