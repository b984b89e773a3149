// SPDX-License-Identifier: Apache-2.0
// The kernel log beyond API mismatches: statements, Xids, boots, repetitions, and how it is read.
#include "node/host.h"
#include "node/kernel_lines.h"
#include "node/kernel_log.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

TEST(kernel_log, joins_a_statement_over_three_lines) {
  const auto log = parse_kernel_log("[   87.358035] NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:1bb3)\n"
                                    "               NVRM: installed in this system is not supported by open\n"
                                    "               NVRM: nvidia.ko because it does not include the required GPU\n"
                                    "               NVRM: System Processor (GSP).\n"
                                    "[  988.289884] NVRM: GPU 0000:03:00.0: RmInitAdapter failed! (0x24:0x72:1603)\n");
  ASSERT_EQ(log.statements.size(), 2U);
  EXPECT_EQ(log.statements[0].topic, kernel_topic::gpu_unsupported_by_open);
  EXPECT_EQ(log.statements[0].address, "0000:03:00.0");
  EXPECT_DOUBLE_EQ(*log.statements[0].seconds_since_boot, 87.358035);
  EXPECT_EQ(log.statements[1].topic, kernel_topic::rm_init_failed);
}

TEST(kernel_log, counts_alike_statements_of_one_device) {
  std::string text;
  for (int time = 0; time < 100; ++time)
    text += fmt::format("[ {0}.5] pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0\n"
                        "[ {0}.6] pcieport 0000:00:02.0: AER: Corrected error received: 0000:02:00.0\n",
                        time);
  const auto log = parse_kernel_log(text);
  ASSERT_EQ(log.statements.size(), 2U);
  EXPECT_EQ(log.statements[0].count, 100);
  EXPECT_EQ(log.statements[1].address, "0000:02:00.0");
  EXPECT_EQ(log.messages.at(kernel_topic::pcie_error_corrected), 200);
}

TEST(kernel_log, keeps_the_first_and_the_last_of_many_xids) {
  std::string text;
  for (int time = 1; time <= 1000; ++time)
    text += fmt::format("[ {}.0] NVRM: Xid (PCI:0000:01:00): 31, pid={}, name=python3, Ch {:08x}\n", time, time, time);
  text += "[ 1001.0] NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.\n";
  const auto log = parse_kernel_log(text);
  int count = 0;
  for (const xid_event &event : log.xids)
    count += event.xid == 31 ? event.count : 0;
  EXPECT_EQ(count, 1000);
  EXPECT_LT(log.xids.size(), 20U);
  EXPECT_EQ(log.xids.front().pid, 1);
  ASSERT_GE(log.xids.size(), 2U);
  EXPECT_EQ(log.xids[log.xids.size() - 2].pid, 1000);
  EXPECT_EQ(log.xids.back().xid, 79) << "in the order of the log";
}

TEST(kernel_log, numbers_and_devices_of_xids_are_told_apart) {
  const auto log = parse_kernel_log("NVRM: Xid (PCI:0000:01:00): 43, pid=1, name=a, Ch 1\n"
                                    "NVRM: Xid (PCI:0000:01:00): 45, pid=1, name=a, Ch 1\n"
                                    "NVRM: Xid (PCI:0000:02:00): 45, pid=1, name=a, Ch 1\n");
  ASSERT_EQ(log.xids.size(), 3U);
  EXPECT_EQ(log.xids[1].xid, 45);
  EXPECT_EQ(log.xids[2].address, "0000:02:00.0");
  EXPECT_TRUE(log.statements.empty());
}

constexpr const char *xid_of_before = "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n";

TEST(kernel_log, earlier_boots_say_nothing_of_this_one) {
  const std::string before = fmt::format("Apr 23 18:55:23 host kernel: [90000.0] {}", xid_of_before);
  EXPECT_EQ(parse_kernel_log(before).xids.size(), 1U);
  for (const char *boot : {"Apr 24 01:00:00 host kernel: [    0.000000] Linux version 5.15.0-105-generic (x@y)\n",
                           "-- Boot 5a4b3c2d1e0f --\n", "-- Reboot --\n",
                           "Apr 24 01:00:06 host kernel: [    6.3] NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n"})
    EXPECT_TRUE(parse_kernel_log(before + boot).xids.empty()) << boot;
  EXPECT_EQ(parse_kernel_log(before + "Apr 23 18:55:23 host kernel: [89999.9] NVRM: x\n").xids.size(), 1U)
      << "processors print a little out of order";
  EXPECT_EQ(parse_kernel_log(before + "host app: Linux version of the program\n").xids.size(), 1U);
}

TEST(kernel_log, finds_what_repeats) {
  std::string text;
  for (int event = 0; event < 60; ++event)
    text += fmt::format("[ 100.{:03}] NVRM: nvAssertFailed: status 0x{:x}\n[ 100.{:03}] usb: NVMe {} will\n",
                        event * 10, event, event * 10, event);
  const auto log = parse_kernel_log(text);
  ASSERT_EQ(log.repeated.size(), 1U) << "others than the driver may repeat themselves";
  EXPECT_EQ(log.repeated[0].count, 60);
  EXPECT_EQ(log.repeated[0].most_in_one_second, 60);
  EXPECT_EQ(log.repeated[0].text, "NVRM: nvAssertFailed: status 0x0");
}

TEST(kernel_log, stays_small_whatever_comes) {
  std::string text;
  for (int word = 0; word < 20000; ++word) {
    std::string letters;
    for (int rest = word; rest > 0; rest /= 10)
      letters += static_cast<char>('g' + rest % 10);
    text += fmt::format("NVRM: {} RmInitAdapter failed\nNVRM: Xid (PCI:0000:{:02x}:00): {}, x\n", letters, word % 256,
                        word / 256);
  }
  text += "NVRM: GPU 0000:01:00.0 is already bound to nouveau.\nNVRM: failed to wait for GFW_BOOT\n";
  const auto log = parse_kernel_log(text);
  EXPECT_EQ(log.statements.size(), 64U + 1) << "of one topic, and of another one that comes late";
  EXPECT_LE(log.xids.size(), 9U * 512U);
  EXPECT_EQ(log.other_drivers.size(), 1U) << "what comes late is still seen";
}

TEST(wall_time, gives_differences) {
  EXPECT_EQ(*seconds_of_wall_time("May 20 00:00:01") - *seconds_of_wall_time("May 19 23:59:59"), 2);
  EXPECT_EQ(*seconds_of_wall_time("May  2 00:00:01") - *seconds_of_wall_time("May  1 23:59:59"), 2);
  EXPECT_EQ(*seconds_of_wall_time("Sat Jul 11 05:52:47 2026") - *seconds_of_wall_time("Sat Jul 11 05:52:40 2026"), 7);
  EXPECT_EQ(*seconds_of_wall_time("2026-09-27T10:01:02+0000") - *seconds_of_wall_time("2026-09-27T10:00:02+0000"), 60);
  EXPECT_EQ(*seconds_of_wall_time("2026-09-27T10:01:02,500000+00:00"),
            *seconds_of_wall_time("2026-09-27T10:01:02") + 0.5);
  for (const char *text :
       {"", "x", ":", "::", "Sat", "12:34", "1:2:3", "Foo 11 05:52:47", "yesterday at 10:00:00", "ab:cd:ef"})
    EXPECT_FALSE(seconds_of_wall_time(text)) << text;
}

TEST(kernel_log, of_a_ring_that_lost_its_beginning_is_that_of_the_journal) {
  temporary_folder folder;
  folder.write("commands/dmesg.txt", "[90000.0] NVRM: Xid (PCI:0000:01:00): 31, Ch 1\n");
  host without_journal({host_kind::capture, folder.path()});
  EXPECT_EQ(read_kernel_log(without_journal)->xids.at(0).xid, 31);
  folder.write("commands/journal_kernel.txt",
               "2026-09-27T10:01:02+0000 kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU\n"
               "2026-09-27T10:01:02+0000 kernel: NVRM: Xid (PCI:0000:01:00): 31, Ch 1\n");
  host with_journal({host_kind::capture, folder.path()});
  EXPECT_EQ(read_kernel_log(with_journal)->xids.size(), 2U);
  folder.write("commands/journal_kernel.txt", "2026-09-27T10:01:02+0000 kernel: quiet\n");
  host with_quiet_journal({host_kind::capture, folder.path()});
  EXPECT_EQ(read_kernel_log(with_quiet_journal)->xids.size(), 1U) << "the ring says more";
  folder.write("commands/dmesg.txt", "[    0.0] Linux version 6.8.0\n[90000.0] NVRM: Xid (PCI:0000:01:00): 13, x\n");
  host whole_ring({host_kind::capture, folder.path()});
  EXPECT_EQ(read_kernel_log(whole_ring)->xids.at(0).xid, 13);
}

TEST(kernel_log, of_a_tree_is_also_that_of_syslog) {
  temporary_folder folder;
  folder.write("var/log/kern.log", fmt::format("Apr 23 18:55:23 host kernel: {}", xid_of_before));
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(read_kernel_log(node)->xids.size(), 1U);
}

TEST(host, keeps_the_end_of_a_log_from_a_whole_line_on) {
  temporary_folder folder;
  folder.write("var/log/kern.log", "first line\nsecond line\nthird line\n");
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(*node.peek_file("/var/log/kern.log", 15, kept_part::end), "third line\n");
  EXPECT_EQ(*node.peek_file("/var/log/kern.log", 1000, kept_part::end), "first line\nsecond line\nthird line\n");
  EXPECT_EQ(*node.peek_file("/var/log/kern.log", 3, kept_part::end), "");
}

TEST(kernel_log, of_a_capture_without_dmesg_is_that_of_the_machine_s_files) {
  const temporary_folder folder;
  folder.write("root/var/log/kern.log", fmt::format("Apr 23 18:55:23 host kernel: {}", xid_of_before));
  host::options options;
  options.kind = host_kind::capture;
  options.folder = folder.path();
  host node(options);
  const fact<kernel_log> log = read_kernel_log(node, false);
  ASSERT_TRUE(log.is_known());
  EXPECT_EQ(log->xids.size(), 1U);
}

} // namespace
} // namespace gpucert
