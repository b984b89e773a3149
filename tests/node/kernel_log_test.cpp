// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"
#include "node/kernel_lines.h"
#include "node/kernel_log.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct prefixed_line {
  const char *name;
  const char *text;
  const char *message;
  std::optional<double> seconds = std::nullopt;
  const char *wall_time = "";
};

class kernel_line_test : public testing::TestWithParam<prefixed_line> {};

TEST_P(kernel_line_test, loses_its_prefix) {
  const auto lines = parse_kernel_lines(GetParam().text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].message, GetParam().message);
  EXPECT_EQ(lines[0].wall_time, GetParam().wall_time);
  ASSERT_EQ(lines[0].seconds_since_boot.has_value(), GetParam().seconds.has_value());
  if (GetParam().seconds) {
    EXPECT_DOUBLE_EQ(*lines[0].seconds_since_boot, *GetParam().seconds);
  }
}

INSTANTIATE_TEST_SUITE_P(
    prefixes, kernel_line_test,
    testing::Values(
        prefixed_line{"none", "NVRM: x", "NVRM: x"},
        prefixed_line{"stamp", "[  330.628039] NVRM: x", "NVRM: x", 330.628039},
        prefixed_line{"thread_tag", "[   10.800842] [   T1343] NVRM: x", "NVRM: x", 10.800842},
        prefixed_line{"level_of_the_ring_buffer", "<4>[    1.150000] NVRM: x", "NVRM: x", 1.15},
        prefixed_line{"syslog", "Apr 23 18:55:23 host kernel: [    7.039052] NVRM: x", "NVRM: x", 7.039052,
                      "Apr 23 18:55:23"},
        prefixed_line{"syslog_day_of_one_digit", "Apr  3 18:55:23 host kernel: NVRM: x", "NVRM: x", std::nullopt,
                      "Apr  3 18:55:23"},
        prefixed_line{"journal_iso", "2026-09-27T10:01:02+0000 host kernel: NVRM: x", "NVRM: x", std::nullopt,
                      "2026-09-27T10:01:02+0000"},
        prefixed_line{"dmesg_iso_has_no_host", "2026-09-27T10:01:02,123456+00:00 NVRM: x", "NVRM: x", std::nullopt,
                      "2026-09-27T10:01:02,123456+00:00"},
        prefixed_line{"dmesg_date", "[Sat Apr 13 23:38:47 2024] NVRM: x", "NVRM: x", std::nullopt,
                      "Sat Apr 13 23:38:47 2024"},
        prefixed_line{"dmesg_delta", "[  +0.000421] NVRM: x", "NVRM: x"},
        prefixed_line{"kmsg", "4,1042,8462102,-;NVRM: x", "NVRM: x", 8.462102},
        prefixed_line{"kmsg_with_caller", "4,1042,8462102,-,caller=T1343;NVRM: x", "NVRM: x", 8.462102},
        prefixed_line{"console_of_cloud_init", "[  145.615740] cloud-init[3620]: Jun 11 08:11:04 host kernel: NVRM: x",
                      "NVRM: x", 145.61574, "Jun 11 08:11:04"},
        prefixed_line{"kernel_alone", "kernel: NVRM: x", "NVRM: x"},
        prefixed_line{"indented_continuation", "               NVRM: x", "NVRM: x"},
        prefixed_line{"brackets_that_are_words", "[drm] Initialized nvidia-drm", "[drm] Initialized nvidia-drm"},
        prefixed_line{"semicolon_that_is_none_of_kmsg", "4 GPUs; all well", "4 GPUs; all well"}),
    [](const auto &tested) { return tested.param.name; });

constexpr const char *old_wording[] = {"NVRM: API mismatch: the client has the version 535.183.01, but",
                                       "NVRM: this kernel module has the version 535.161.07.  Please",
                                       "NVRM: make sure that this kernel module and all NVIDIA driver",
                                       "NVRM: components have the same version."};
constexpr const char *new_wording[] = {
    "NVRM: API mismatch: the client 'kwin_wayland' (pid 1005)",
    "NVRM: has the version 595.84, but this kernel module has", "NVRM: the version 595.80.  Please make sure that this",
    "NVRM: kernel module and all NVIDIA driver components", "NVRM: have the same version."};

template <std::size_t Size>
std::string lay_out(const char *const (&wording)[Size], std::string_view first, std::string_view other,
                    std::string_view end = "\n") {
  std::string text;
  for (std::size_t line = 0; line < Size; ++line)
    text += std::string(line == 0 ? first : other) + wording[line] + std::string(line + 1 < Size ? end : "\n");
  return text;
}

struct layout {
  const char *name;
  const char *first; // in front of the first line of an event
  const char *other; // in front of the others
  const char *end = "\n";
};

class api_mismatch_test : public testing::TestWithParam<layout> {};

TEST_P(api_mismatch_test, is_read_in_both_wordings) {
  const auto &[name, first, other, end] = GetParam();
  const auto old_log = parse_kernel_log(lay_out(old_wording, first, other, end));
  ASSERT_EQ(old_log.api_mismatches.size(), 1U);
  EXPECT_EQ(old_log.api_mismatches[0].client.text(), "535.183.01");
  EXPECT_EQ(old_log.api_mismatches[0].module.text(), "535.161.07");
  EXPECT_FALSE(old_log.api_mismatches[0].client_name);

  const auto new_log = parse_kernel_log(lay_out(new_wording, first, other, end));
  ASSERT_EQ(new_log.api_mismatches.size(), 1U);
  const api_mismatch &mismatch = new_log.api_mismatches[0];
  EXPECT_EQ(mismatch.client.text(), "595.84");
  EXPECT_EQ(mismatch.module.text(), "595.80");
  EXPECT_EQ(mismatch.client_name, "kwin_wayland");
  EXPECT_EQ(mismatch.client_pid, 1005);
  EXPECT_EQ(mismatch.count, 1);
}

INSTANTIATE_TEST_SUITE_P(
    layouts, api_mismatch_test,
    testing::Values(layout{"no_prefix", "", ""},
                    layout{"one_printk_with_indented_continuations", "[    1.150000] ", "               "},
                    layout{"stamp_on_every_line", "[  330.628039] ", "[  330.628039] "},
                    layout{"stamp_and_thread_tag", "[   10.800842] [   T1343] ", "[   10.800842] [   T1343] "},
                    layout{"syslog", "Apr 23 18:55:23 host kernel: [    7.039052] ",
                           "Apr 23 18:55:23 host kernel: [    7.039052] "},
                    layout{"rsyslog_escapes_newlines", "Apr 23 18:55:23 host kernel: [    7.039052] ", "", "#012"},
                    layout{"kmsg_escapes_newlines", "4,1042,8462102,-;", "", "\\x0a"},
                    layout{"kmsg_lines", "4,1042,8462102,-;", "4,1043,8462103,-;"},
                    layout{"dmesg_date", "[Sat Apr 13 23:38:47 2024] ", "[Sat Apr 13 23:38:47 2024] "},
                    layout{"dmesg_delta", "[  +0.000421] ", "[  +0.000003] "},
                    layout{"console_of_cloud_init", "[  145.615740] cloud-init[3620]: Jun 11 08:11:04 host kernel: ",
                           "[  145.615743] cloud-init[3620]: Jun 11 08:11:04 host kernel: "},
                    layout{"freebsd", "kernel: ", "kernel: "},
                    layout{"carriage_returns", "[ 1.0] ", "[ 1.0] ", "\r\n"}),
    [](const auto &tested) { return tested.param.name; });

TEST(api_mismatch, keeps_the_time_of_the_first_event_and_counts_the_others) {
  std::string text;
  for (int second = 100; second < 803; ++second)
    text += lay_out(old_wording, fmt::format("[  {}.000000] ", second), "               ");
  const auto log = parse_kernel_log(text);
  ASSERT_EQ(log.api_mismatches.size(), 1U);
  EXPECT_EQ(log.api_mismatches[0].count, 703);
  EXPECT_DOUBLE_EQ(*log.api_mismatches[0].seconds_since_boot, 100.0);
}

TEST(api_mismatch, of_other_releases_or_clients_is_another_one) {
  const auto log = parse_kernel_log(lay_out(old_wording, "", "") + lay_out(new_wording, "", "") +
                                    "NVRM: API mismatch: the client 'Xorg' (pid 3447)\n"
                                    "NVRM: has the version 595.84, but this kernel module has\n"
                                    "NVRM: the version 595.80.  Please make sure that this\n" +
                                    lay_out(new_wording, "", ""));
  ASSERT_EQ(log.api_mismatches.size(), 3U);
  EXPECT_EQ(log.api_mismatches[1].count, 2);
  EXPECT_EQ(log.api_mismatches[2].client_name, "Xorg");
}

TEST(api_mismatch, two_events_without_a_line_between_them_are_two) {
  const auto log = parse_kernel_log("NVRM: API mismatch: the client has the version 550.54.15, but\n"
                                    "NVRM: API mismatch: the client has the version 545.29.06, but\n"
                                    "NVRM: this kernel module has the version 535.161.07.  Please\n");
  ASSERT_EQ(log.api_mismatches.size(), 1U) << "the first was cut: half of it proves nothing";
  EXPECT_EQ(log.api_mismatches[0].client.text(), "545.29.06");
}

TEST(api_mismatch, without_both_releases_is_none) {
  EXPECT_TRUE(
      parse_kernel_log("NVRM: API mismatch: the client has the version 535.183.01, but\n").api_mismatches.empty());
  EXPECT_TRUE(parse_kernel_log("NVRM: API mismatch:\n").api_mismatches.empty());
  EXPECT_TRUE(parse_kernel_log("somebody wrote of an API mismatch: the client has the version 1.2, but this kernel "
                               "module has the version 1.3\n")
                  .api_mismatches.empty())
      << "only NVRM speaks for the module";
  EXPECT_TRUE(parse_kernel_log("").api_mismatches.empty());
}

TEST(other_drivers, are_reported_by_nvrm) {
  const auto log = parse_kernel_log("[    5.1] NVRM: GPU 0000:01:00.0 is already bound to nouveau.\n"
                                    "[    5.2] NVRM: GPU 0000:02:00.0 is already bound to NovaCore.\n"
                                    "[    5.3] NVRM: The NVIDIA probe routine was not called for 1 device(s).\n"
                                    "[    5.4] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15\n");
  ASSERT_EQ(log.other_drivers.size(), 3U);
  EXPECT_EQ(log.other_drivers[0].address, "0000:01:00.0");
  EXPECT_EQ(log.other_drivers[0].driver, "nouveau");
  EXPECT_EQ(log.other_drivers[1].driver, "NovaCore");
  EXPECT_FALSE(log.other_drivers[2].driver);
  EXPECT_EQ(log.other_drivers[2].text, "NVRM: The NVIDIA probe routine was not called for 1 device(s).");
}

class hostile_log_test : public testing::TestWithParam<const char *> {};

/// A long log of one piece: what is quadratic in it would run for minutes.
TEST_P(hostile_log_test, is_read) {
  const std::string piece = GetParam();
  std::string text;
  while (text.size() < (1 << 18))
    text += piece;
  parse_kernel_log(text);
  parse_kernel_log("NVRM: API mismatch: " + text);
}

TEST(kernel_log, takes_a_line_of_a_megabyte) {
  EXPECT_EQ(parse_kernel_lines(std::string(1 << 20, 'x')).size(), 1U);
  EXPECT_EQ(parse_kernel_lines(std::string(1 << 20, '[')).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(pieces, hostile_log_test,
                         testing::Values("x", "#012", "\\x0a", "NVRM:", "NVRM: API mismatch:#012", "[", "] ", "<", ";",
                                         "1,", "kernel:", "[1.0] ", "\n", " ", "' (pid ", "has the version ",
                                         "NVRM: API mismatch: x\n"));

TEST(kernel_log, of_a_capture) {
  temporary_folder folder;
  folder.write("commands/journal_kernel.txt", "2026-09-27T10:01:02+0000 host kernel: NVRM: GPU 0000:01:00.0 is already "
                                              "bound to nouveau.\n");
  host by_journal({host_kind::capture, folder.path()});
  EXPECT_EQ(read_kernel_log(by_journal)->other_drivers.size(), 1U);
  folder.write("commands/dmesg.txt", "");
  host by_dmesg({host_kind::capture, folder.path()});
  const fact<kernel_log> empty = read_kernel_log(by_dmesg);
  ASSERT_TRUE(empty.is_known()) << "asked, and there was nothing in it";
  EXPECT_TRUE(empty->other_drivers.empty());
}

TEST(kernel_log, that_is_nowhere_is_unknown) {
  temporary_folder folder;
  folder.make_folder("root");
  host capture({host_kind::capture, folder.path()});
  EXPECT_TRUE(read_kernel_log(capture).is_unknown());
  host tree({host_kind::tree, folder / "root"});
  EXPECT_TRUE(read_kernel_log(tree).is_unknown()) << "a tree without a log has not had a quiet boot";
}

TEST(kernel_log, of_a_tree) {
  temporary_folder folder;
  folder.write("var/log/dmesg", "[    5.1] kernel: NVRM: GPU 0000:01:00.0 is already bound to nouveau.\n");
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(read_kernel_log(node)->other_drivers.size(), 1U);
}

TEST(kernel_log, is_read_in_whatever_it_was_pasted) {
  for (const char *line :
       {"\x1b[32m[  12.5] \x1b[0m\x1b[33mNVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\x1b[0m",
        "> [  12.5] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
        "`[  12.5] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.`",
        "kern  :err   : [  12.5] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
        "{\"MESSAGE\":\"NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\",\"PRIORITY\":\"3\"}",
        "time=\"2026-01-01T00:00:00Z\" msg=\"NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\""}) {
    const kernel_log log = parse_kernel_log(line);
    ASSERT_EQ(log.xids.size(), 1U) << line;
    EXPECT_EQ(log.xids[0].xid, 79);
  }
}

} // namespace
} // namespace gpucert
