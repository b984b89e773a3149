// SPDX-License-Identifier: Apache-2.0
#include "node/guarded_reader.h"
#include "tests/node/child_processes.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

#include <csignal>

namespace gpucert {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t no_limit = 1 << 24;
constexpr auto long_enough = 5s; // of reads that end by themselves

TEST(guarded_reader, reads_one_file_after_the_other) {
  temporary_folder folder;
  folder.write("a", "first\n");
  folder.write("empty", "");
  folder.write("long", std::string(300'000, 'x')); // more than a pipe holds
  guarded_reader reader;
  EXPECT_EQ(reader.read(folder / "a", no_limit, long_enough).text, "first\n");
  EXPECT_EQ(reader.read(folder / "empty", no_limit, long_enough).text, "");
  EXPECT_EQ(reader.read(folder / "long", no_limit, long_enough).text, std::string(300'000, 'x'));
  EXPECT_EQ(reader.read("/proc/self/comm", no_limit, long_enough).error, 0);
}

TEST(guarded_reader, says_why_a_file_cannot_be_read) {
  temporary_folder folder;
  guarded_reader reader;
  const guarded_answer none = reader.read(folder / "none", no_limit, long_enough);
  EXPECT_FALSE(none.text);
  EXPECT_EQ(none.error, ENOENT);
  EXPECT_FALSE(none.timed_out());
  EXPECT_EQ(reader.read(folder.path(), no_limit, long_enough).error, EISDIR);
}

TEST(guarded_reader, cuts_at_the_limit_and_says_so) {
  temporary_folder folder;
  folder.write("ten", "0123456789");
  guarded_reader reader;
  const guarded_answer cut = reader.read(folder / "ten", 4, long_enough);
  EXPECT_EQ(cut.text, "0123");
  EXPECT_TRUE(cut.is_truncated);
  EXPECT_FALSE(reader.read(folder / "ten", 10, long_enough).is_truncated);
  EXPECT_TRUE(reader.read("/dev/zero", 100'000, long_enough).is_truncated) << "a file without an end";
}

TEST(guarded_reader, a_fifo_ends_at_the_deadline_and_the_next_read_works) {
  temporary_folder folder;
  folder.make_fifo("fifo");
  folder.write("a", "text");
  guarded_reader reader;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(reader.read(folder / "fifo", no_limit, 20ms).timed_out());
    EXPECT_EQ(reader.read(folder / "a", no_limit, long_enough).text, "text");
  }
  EXPECT_TRUE(reader.read(folder / "a", no_limit, 0ms).timed_out()) << "no time is left";
}

TEST(guarded_reader, leaves_no_child_behind) {
  if (!can_list_children())
    GTEST_SKIP() << "this kernel does not list children";
  temporary_folder folder;
  folder.make_fifo("fifo");
  {
    guarded_reader reader;
    EXPECT_TRUE(children().empty()) << "none before the first read";
    EXPECT_TRUE(reader.read("/proc/self/comm", no_limit, long_enough).text);
    EXPECT_EQ(children().size(), 1U);
    reader.read(folder / "fifo", no_limit, 20ms);
    EXPECT_TRUE(children().empty()) << "given up, killed and reaped";
    EXPECT_TRUE(reader.read("/proc/self/comm", no_limit, long_enough).text);
  }
  EXPECT_TRUE(children().empty());
}

TEST(guarded_reader, outlives_the_death_of_its_child) {
  if (!can_list_children())
    GTEST_SKIP() << "this kernel does not list children";
  temporary_folder folder;
  folder.write("a", "text");
  guarded_reader reader;
  ASSERT_TRUE(reader.read(folder / "a", no_limit, long_enough).text);
  const pid_t child = children().at(0);
  ::kill(child, SIGKILL); // as the kernel does when memory runs out
  ASSERT_TRUE(comes_true([&] { return !is_alive(child); }));
  EXPECT_EQ(reader.read(folder / "a", no_limit, long_enough).text, "text");
}

} // namespace
} // namespace gpucert
