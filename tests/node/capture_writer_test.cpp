// SPDX-License-Identifier: Apache-2.0
#include "node/capture_writer.h"
#include "node/gzip.h"
#include "node/wrong_input.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

std::size_t count_entries(const fs::path &folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(capture_writer, puts_everything_in_its_place) {
  temporary_folder folder;
  capture_writer writer(folder / "new/capture", personal_data({"node17"}));
  writer.file("/proc/modules", "nvidia 1 0\n");
  writer.document("commands/dmesg.txt", "Apr 23 18:55:23 node17 kernel: x\n");
  writer.document("nvml.json", "{}");
  writer.folder("/sys/bus/pci/devices");
  writer.file("/etc/none", "");
  EXPECT_EQ(writer.finish(), 4U);
  EXPECT_EQ(folder.text_of("new/capture/root/proc/modules"), "nvidia 1 0\n");
  EXPECT_EQ(folder.text_of("new/capture/commands/dmesg.txt"), "Apr 23 18:55:23 HOST kernel: x\n");
  EXPECT_EQ(folder.text_of("new/capture/nvml.json"), "{}");
  EXPECT_TRUE(fs::is_directory(folder / "new/capture/root/sys/bus/pci/devices"));
  EXPECT_TRUE(folder.has("new/capture/root/etc/none")) << "asked, and there was none";
}

TEST(capture_writer, what_is_asked_twice_is_stored_once) {
  temporary_folder folder;
  capture_writer writer(folder / "capture", personal_data({}));
  writer.file("/proc/modules", "first");
  writer.file("/proc/modules", "second");
  EXPECT_EQ(writer.finish(), 1U);
  EXPECT_EQ(folder.text_of("capture/root/proc/modules"), "first");
}

TEST(capture_writer, is_there_in_full_or_not_at_all) {
  temporary_folder folder;
  {
    capture_writer writer(folder / "capture", personal_data({}));
    writer.file("/proc/modules", "text");
    EXPECT_FALSE(folder.has("capture")) << "not before finish()";
  }
  EXPECT_EQ(count_entries(folder.path()), 0U) << "nothing is left of one that was given up";
}

TEST(capture_writer, an_unfinished_one_leaves_an_empty_folder_alone) {
  temporary_folder folder;
  folder.make_folder("capture");
  { capture_writer writer(folder / "capture", personal_data({})); }
  EXPECT_TRUE(folder.has("capture"));
  EXPECT_EQ(count_entries(folder.path()), 1U);
}

TEST(capture_writer, takes_an_empty_folder_and_slashes_behind_its_name) {
  temporary_folder folder;
  folder.make_folder("capture");
  capture_writer writer(folder.path() / "capture//", personal_data({}));
  writer.document("nvml.json", "{}");
  writer.finish();
  EXPECT_EQ(folder.text_of("capture/nvml.json"), "{}");
  EXPECT_EQ(count_entries(folder.path()), 1U) << "beside the target, not in it";
}

TEST(capture_writer, refuses_a_place_that_is_taken) {
  temporary_folder folder;
  folder.write("full/file", "text");
  folder.write("file", "text");
  folder.write("empty_file", "");
  folder.link("nowhere", "none");
  folder.make_folder("empty");
  folder.link("link_to_empty", "empty");
  for (const char *name : {"full", "file", "empty_file", "nowhere", "link_to_empty"}) {
    EXPECT_THROW(capture_writer(folder / name, personal_data({})), wrong_input) << name;
  }
  EXPECT_EQ(folder.text_of("full/file"), "text");
  EXPECT_EQ(count_entries(folder.path()), 6U) << "and leaves nothing beside it";
}

TEST(capture_writer, says_when_it_cannot_write) {
  temporary_folder folder;
  folder.write("file", "text");
  EXPECT_THROW(capture_writer(folder / "file/capture", personal_data({})), unreadable_input);
  capture_writer writer(folder / "capture", personal_data({}));
  writer.file("/etc/a", "");
  EXPECT_THROW(writer.file("/etc/a/b", ""), unreadable_input) << "a file cannot hold another one";
}

TEST(capture_writer, compressed_logs_stay_compressed_and_are_cleaned_inside) {
  temporary_folder folder;
  capture_writer writer(folder / "capture", personal_data({"node17"}));
  writer.file("/var/log/apt/history.log.1.gz", deflate_gzip("Requested-By: alice (1000)\nnode17 5.15.0.105\n"));
  writer.file("/var/log/apt/history.log.2.gz", "Requested-By: bob (1000)\n"); // by its name only
  writer.finish();
  const auto packed = inflate_gzip(folder.text_of("capture/root/var/log/apt/history.log.1.gz"), 1 << 20);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->text, "Requested-By: USER (1000)\nHOST 5.15.0.105\n");
  const auto misnamed = inflate_gzip(folder.text_of("capture/root/var/log/apt/history.log.2.gz"), 1 << 20);
  ASSERT_TRUE(misnamed);
  EXPECT_EQ(misnamed->text, "Requested-By: USER (1000)\n");
}

} // namespace
} // namespace gpucert
