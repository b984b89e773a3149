// SPDX-License-Identifier: Apache-2.0
#include "node/device_files.h"
#include "node/host.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace gpucert {
namespace {

TEST(device_list, is_read_and_written) {
  const std::string text = "/dev/nvidia0 c 195:0 0666\n/dev/nvidiactl\n/dev/nvidia-uvm c 509:0 0600\n";
  const auto files = parse_device_list(text);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].major, 195U);
  EXPECT_EQ(files[0].minor, 0U);
  EXPECT_EQ(files[0].mode, 0666U);
  EXPECT_FALSE(files[1].major || files[1].minor || files[1].mode);
  EXPECT_EQ(format_device_list(files), text);
  EXPECT_TRUE(has_device_file(files, "/dev/nvidia-uvm"));
  EXPECT_FALSE(has_device_file(files, "/dev/nvidia"));
}

TEST(device_list, takes_any_text) {
  EXPECT_TRUE(parse_device_list("ls: cannot access '/dev/nvidia*': No such file or directory\n\n").empty());
  const auto files = parse_device_list("/dev/nvidia0 c 195 rw\n/dev/nvidia1 c x:y\n/dev/nvidia2 b 1:2 0666\n");
  ASSERT_EQ(files.size(), 3U) << "the file is there, whatever stands behind it";
  for (const device_file &file : files)
    EXPECT_FALSE(file.mode || file.minor);
  EXPECT_TRUE(parse_device_list(std::string(1 << 20, 'c')).empty());
}

std::string read(host_kind kind, const std::filesystem::path &folder) {
  host node({kind, folder});
  const fact<std::vector<device_file>> files = read_device_files(node);
  return files.is_known() ? format_device_list(*files) : fmt::format("unknown: {}", files.problem.value_or("absent"));
}

TEST(device_files, of_a_tree) {
  temporary_folder folder;
  EXPECT_EQ(read(host_kind::tree, folder.path()), "unknown: /dev is not in the tree");
  folder.write("dev/nvidiactl", "");
  folder.write("dev/null", "");
  folder.write("dev/dxg", "");
  folder.write("dev/nvidia-caps/nvidia-cap1", "");
  EXPECT_EQ(read(host_kind::tree, folder.path()), "/dev/dxg\n/dev/nvidiactl\n");
}

TEST(device_files, have_their_numbers) {
  temporary_folder folder;
  folder.make_folder("dev");
  if (::mknod((folder / "dev/nvidia0").c_str(), S_IFCHR, makedev(195, 0)) != 0)
    GTEST_SKIP() << "needs the right to make device files";
  ::chmod((folder / "dev/nvidia0").c_str(), 0660);
  EXPECT_EQ(read(host_kind::tree, folder.path()), "/dev/nvidia0 c 195:0 0660\n");
}

TEST(device_files, a_link_does_not_lead_to_our_own_devices) {
  temporary_folder folder;
  folder.write("dev/real", "");
  folder.link("dev/nvidia0", "/dev/null"); // which this tree does not have
  folder.link("dev/nvidia1", "/dev/real");
  EXPECT_EQ(read(host_kind::tree, folder.path()), "/dev/nvidia1\n");
}

TEST(device_files, of_a_capture) {
  temporary_folder folder;
  folder.make_folder("root");
  EXPECT_EQ(read(host_kind::capture, folder.path()), "unknown: not in the capture");
  folder.write("root/dev.list", "");
  EXPECT_EQ(read(host_kind::capture, folder.path()), "") << "asked, and there is none";
  folder.write("root/dev.list", "/dev/nvidia0\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()), "/dev/nvidia0\n");
}

} // namespace
} // namespace gpucert
