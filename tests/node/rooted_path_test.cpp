// SPDX-License-Identifier: Apache-2.0
#include "node/rooted_path.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

class rooted_path_test : public testing::Test {
protected:
  rooted_path_test() {
    folder_.write("outside/secret", "not of the node");
    folder_.write("root/usr/lib/file.so.1", "");
    folder_.write("root/etc/os-release", "");
  }
  void link(const std::string &path, std::string_view target) const {
    folder_.link(fmt::format("root{}", path), target);
  }
  std::optional<std::string> resolve(std::string_view path) const {
    return resolve_inside((folder_ / "root").string(), path);
  }

  temporary_folder folder_;
};

TEST_F(rooted_path_test, plain_paths) {
  EXPECT_EQ(resolve("/usr/lib/file.so.1"), "/usr/lib/file.so.1");
  EXPECT_EQ(resolve("usr//lib/./file.so.1"), "/usr/lib/file.so.1");
  EXPECT_EQ(resolve("/usr/lib/"), "/usr/lib");
  EXPECT_EQ(resolve("/"), "/");
  EXPECT_EQ(resolve(""), "/");
  EXPECT_EQ(resolve("/usr/lib/other"), std::nullopt);
  EXPECT_EQ(resolve("/etc/os-release/below"), std::nullopt) << "a file has nothing below it";
}

TEST_F(rooted_path_test, absolute_links_begin_again_at_the_root) {
  link("/lib", "/usr/lib");
  link("/usr/lib/file.so", "/lib/file.so.1");
  EXPECT_EQ(resolve("/lib/file.so"), "/usr/lib/file.so.1");
}

TEST_F(rooted_path_test, relative_links_begin_at_their_folder) {
  link("/usr/lib/file.so", "file.so.1");
  link("/etc/release", "../etc/./os-release");
  EXPECT_EQ(resolve("/usr/lib/file.so"), "/usr/lib/file.so.1");
  EXPECT_EQ(resolve("/etc/release"), "/etc/os-release");
}

TEST_F(rooted_path_test, two_dots_stop_at_the_root) {
  link("/up", "../../../../outside/secret");
  link("/usr/up", "../../outside");
  EXPECT_EQ(resolve("/../../etc/os-release"), "/etc/os-release");
  EXPECT_EQ(resolve("/../outside/secret"), std::nullopt);
  EXPECT_EQ(resolve("/up"), std::nullopt);
  EXPECT_EQ(resolve("/usr/up/secret"), std::nullopt);
}

TEST_F(rooted_path_test, two_dots_go_up_from_where_a_link_led) {
  link("/here", "/usr/lib");
  EXPECT_EQ(resolve("/here/.."), "/usr") << "as the kernel walks, not as text would be shortened";
}

TEST_F(rooted_path_test, links_do_not_lead_out) {
  link("/secret", (folder_ / "outside/secret").string());
  link("/machine", "/proc/self/status");
  EXPECT_EQ(resolve("/secret"), std::nullopt);
  EXPECT_EQ(resolve("/machine"), std::nullopt);
}

TEST_F(rooted_path_test, circles_lead_nowhere) {
  link("/a", "b");
  link("/b", "a");
  link("/self", "self/x");
  EXPECT_EQ(resolve("/a"), std::nullopt);
  EXPECT_EQ(resolve("/self"), std::nullopt);
}

TEST_F(rooted_path_test, as_many_links_as_the_kernel_follows) {
  link("/0", "/etc/os-release");
  for (int i = 1; i <= 45; ++i)
    link(fmt::format("/{}", i), fmt::format("{}", i - 1));
  EXPECT_EQ(resolve("/39"), "/etc/os-release") << "40 links";
  EXPECT_EQ(resolve("/40"), std::nullopt);
}

TEST_F(rooted_path_test, reads_one_link_as_it_is_written) {
  link("/driver", "../../bus/pci/drivers/nvidia");
  const std::string root = (folder_ / "root").string();
  EXPECT_EQ(read_link_inside(root, "/driver"), "../../bus/pci/drivers/nvidia");
  EXPECT_EQ(read_link_inside(root, "/etc/os-release"), std::nullopt);
  EXPECT_EQ(read_link_inside(root, "/none"), std::nullopt);
}

} // namespace
} // namespace gpucert
