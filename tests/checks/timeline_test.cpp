// SPDX-License-Identifier: Apache-2.0
#include "checks/timeline.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words in_words(const std::vector<timeline_entry> &timeline) {
  words list;
  for (const timeline_entry &entry : timeline)
    list.push_back(fmt::format("{} | {} | {}", entry.when, entry.what, entry.source));
  return list;
}

fact<session_history> booted(std::string_view time) {
  session_history sessions;
  sessions.boots = {parse_log_time(time)->local};
  return fact<session_history>::known(sessions, "commands/last.txt");
}

TEST(timeline, without_the_time_of_the_boot_the_kernel_stands_last) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  api_mismatch event = mismatch("550.54.15", "535.161.07");
  event.seconds_since_boot = 1845112.4;
  event.client_name = "python3";
  event.count = 703;
  node.log = log_of({event});
  EXPECT_EQ(in_words(build_timeline(node)),
            (words{"2024-06-12 06:41:03 | /usr/bin/unattended-upgrade moved the driver 535.161.07 -> 550.54.15 | "
                   "/var/log/apt/history.log",
                   "21 d 08:31:52 after boot | the module 535.161.07 refused python3 of release 550.54.15, 703 times "
                   "since | kernel log"}));
}

TEST(timeline, one_clock_where_the_boot_is_known) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  node.sessions = booted("2024-06-10 00:00:00");
  api_mismatch early = mismatch("535.54.03", "535.161.07"), late = mismatch("550.54.15", "535.161.07");
  early.seconds_since_boot = 10;
  late.seconds_since_boot = 3 * 86400;
  node.log = log_of({late, early});
  std::vector<std::string> times;
  for (const timeline_entry &entry : build_timeline(node))
    times.push_back(entry.when);
  EXPECT_EQ(times, (words{"2024-06-10 00:00:00", "2024-06-10 00:00:10", "2024-06-12 06:41:03", "2024-06-13 00:00:00"}));
}

TEST(timeline, traces_a_fault_from_its_birth_to_the_first_call_refused) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  node.sessions = booted("2024-06-10 00:00:00");
  api_mismatch event = mismatch("550.54.15", "535.161.07");
  event.seconds_since_boot = 3 * 86400;
  node.log = log_of({event});
  const auto history = trace_version_fault(node);
  ASSERT_TRUE(history);
  EXPECT_EQ(history->hidden_for, std::chrono::seconds(17 * 3600 + 18 * 60 + 57));
  EXPECT_EQ(history->summary(),
            "born 2024-06-12 06:41:03, first hurt 2024-06-13 00:00:00: it lay hidden for 17 h 18 min");
}

TEST(timeline, a_fault_that_has_not_hurt_yet) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  node.sessions = booted("2024-06-10 00:00:00");
  api_mismatch before = mismatch("535.54.03", "535.161.07"); // of an older fault
  before.seconds_since_boot = 10;
  node.log = log_of({before});
  const auto history = trace_version_fault(node);
  ASSERT_TRUE(history);
  EXPECT_FALSE(history->first_hurt);
  EXPECT_EQ(history->summary(), "born 2024-06-12 06:41:03; no log shows that anything has failed yet");
  node.history = history_is({});
  EXPECT_FALSE(trace_version_fault(node)) << "no log shows its birth";
}

TEST(timeline, spans) {
  EXPECT_EQ(format_span(std::chrono::seconds{12}), "12 s");
  EXPECT_EQ(format_span(std::chrono::seconds{125}), "2 min 5 s");
  EXPECT_EQ(format_span(std::chrono::seconds{26509}), "7 h 21 min");
  EXPECT_EQ(format_span(std::chrono::hours{76}), "3 d 4 h");
}

TEST(timeline, uses_the_clock_of_the_log_where_it_has_one) {
  node_evidence node = healthy_node();
  api_mismatch event = mismatch("550.54.15", "535.161.07");
  event.wall_time = "Apr 23 18:55:23";
  event.seconds_since_boot = 7.0;
  api_mismatch without_time = mismatch("560.35.05", "535.161.07");
  node.log = log_of({event, without_time});
  EXPECT_EQ(in_words(build_timeline(node)),
            (words{"Apr 23 18:55:23 | the module 535.161.07 refused a client of release 550.54.15 | kernel log",
                   "time unknown | the module 535.161.07 refused a client of release 560.35.05 | kernel log"}));
}

TEST(timeline, leaves_out_what_did_not_touch_the_driver) {
  node_evidence node = healthy_node();
  package_transaction other = apt_moved("1", "2");
  other.changes[0].name = "openssl";
  node.history = history_is({other});
  EXPECT_TRUE(build_timeline(node).empty());
}

TEST(timeline, says_what_came_and_went) {
  node_evidence node = healthy_node();
  package_transaction unknown = apt_moved("", "550.54.15");
  unknown.start.reset();
  unknown.command_line.reset();
  node.history = history_is({unknown, apt_moved("550.54.15", "", "apt remove")});
  EXPECT_EQ(in_words(build_timeline(node)),
            (words{"2024-06-12 06:41:03 | apt remove moved the driver 550.54.15 -> (none) | /var/log/apt/history.log",
                   "time unknown | a package run moved the driver (none) -> 550.54.15 | /var/log/apt/history.log"}));
}

TEST(timeline, keeps_the_latest_changes) {
  node_evidence node = healthy_node();
  std::vector<package_transaction> runs(25, apt_moved("535.54.03", "535.161.07"));
  runs.back() = apt_moved("535.161.07", "550.54.15");
  node.history = history_is(runs);
  const auto timeline = build_timeline(node);
  ASSERT_EQ(timeline.size(), 10U);
  EXPECT_NE(timeline.back().what.find("550.54.15"), std::string::npos);
}

TEST(timeline, of_a_node_whose_logs_nobody_knows_is_empty) { EXPECT_TRUE(build_timeline(node_evidence{}).empty()); }

TEST(timeline, time_since_boot) {
  EXPECT_EQ(format_since_boot(0), "00:00:00 after boot");
  EXPECT_EQ(format_since_boot(59.999), "00:00:59 after boot");
  EXPECT_EQ(format_since_boot(3661.5), "01:01:01 after boot");
  EXPECT_EQ(format_since_boot(86400), "1 d 00:00:00 after boot");
  EXPECT_EQ(format_since_boot(1e12), "11574074 d 01:46:40 after boot") << "the largest that a log may state";
}

} // namespace
} // namespace gpucert
