// SPDX-License-Identifier: Apache-2.0
#include "node/log_time.h"
#include "node/sessions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utmp.h>

namespace gpucert {
namespace {

std::chrono::local_seconds at(std::string_view text) { return parse_log_time(text).value().local; }

const std::chrono::local_seconds june_2024 = at("2024-06-12 06:41:03");

TEST(sessions, last_without_years) {
  const session_history sessions =
      parse_last(R"(user     pts/0        192.0.2.7        Wed Jun 12 05:55 - 06:05  (00:10)
user     tty1                          Tue Jun 11 09:00 - 10:30 (1+01:30)
user     pts/1        192.0.2.7        Mon Jun 10 12:00   still logged in
reboot   system boot  5.15.0-105-gener Wed May 22 05:31   still running
reboot   system boot  5.15.0-101-gener Mon Apr 15 05:31 - 05:20 (36+23:49)

wtmp begins Mon Apr  1 10:00:01 2024
)",
                 june_2024);
  ASSERT_EQ(sessions.boots.size(), 2U);
  EXPECT_EQ(format_local_time(*sessions.boot()), "2024-05-22 05:31:00");
  ASSERT_EQ(sessions.logins.size(), 3U);
  EXPECT_EQ(format_local_time(sessions.logins[1].start), "2024-06-11 09:00:00");
  EXPECT_EQ(format_local_time(*sessions.logins[1].end), "2024-06-12 10:30:00");
  EXPECT_FALSE(sessions.logins[0].end) << "still logged in";
  EXPECT_EQ(format_local_time(*sessions.begin), "2024-04-01 10:00:01");
}

TEST(sessions, last_with_iso_times) {
  const session_history sessions = parse_last("reboot   system boot  running  2024-05-22T05:31:07+0200\n"
                                              "user     login  2024-06-12T06:00:00+0200 - 2024-06-12T07:00:00+0200\n",
                                              june_2024);
  EXPECT_EQ(format_local_time(*sessions.boot()), "2024-05-22 05:31:07");
  ASSERT_EQ(sessions.logins.size(), 1U);
  EXPECT_EQ(format_local_time(*sessions.logins[0].end), "2024-06-12 07:00:00");
}

TEST(sessions, counts_who_was_there) {
  session_history sessions;
  sessions.begin = at("2024-06-01 00:00");
  sessions.logins = {{at("2024-06-10 12:00"), {}},
                     {at("2024-06-11 09:00"), at("2024-06-11 10:30")},
                     {at("2024-06-12 06:00"), at("2024-06-12 06:10")}};
  EXPECT_EQ(sessions.logins_between(at("2024-06-12 05:41"), at("2024-06-12 06:41")), 2) << "one has not left yet";
  EXPECT_EQ(sessions.logins_between(at("2024-06-02 05:41"), at("2024-06-02 06:41")), 0);
  EXPECT_FALSE(sessions.logins_between(at("2024-05-01 05:41"), at("2024-06-02 06:41"))) << "before the record began";
}

TEST(sessions, without_a_record_nobody_can_say_that_nobody_was_there) {
  const session_history sessions =
      parse_last("reboot   system boot  running  2024-05-22T05:31:07+0200\nwtmp is not known\n", june_2024);
  EXPECT_TRUE(sessions.boot());
  EXPECT_FALSE(sessions.logins_between(at("2024-06-12 05:41"), at("2024-06-12 06:41")));
}

utmp entry(short type, std::string_view terminal, std::string_view user, std::int32_t seconds) {
  utmp made{};
  made.ut_type = type;
  std::memcpy(made.ut_line, terminal.data(), terminal.size());
  std::memcpy(made.ut_user, user.data(), user.size());
  made.ut_tv.tv_sec = seconds;
  return made;
}

std::string bytes_of(const std::vector<utmp> &entries) {
  std::string bytes(entries.size() * sizeof(utmp), '\0');
  std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

TEST(sessions, wtmp_is_told_without_names) {
  const std::string told = describe_wtmp(
      bytes_of({entry(BOOT_TIME, "~", "reboot", 1716355860), entry(USER_PROCESS, "pts/0", "alice", 1716356000),
                entry(DEAD_PROCESS, "pts/0", "", 1716357000), entry(USER_PROCESS, "pts/1", "bob", 1716358000)}),
      {});
  EXPECT_EQ(told.find("alice"), told.npos);
  EXPECT_EQ(told.find("bob"), told.npos);
  const session_history sessions = parse_last(told, june_2024);
  EXPECT_EQ(sessions.boots.size(), 1U);
  ASSERT_EQ(sessions.logins.size(), 2U);
  EXPECT_EQ(*sessions.logins[0].end - sessions.logins[0].start, std::chrono::seconds{1000});
  EXPECT_FALSE(sessions.logins[1].end);
  EXPECT_EQ(sessions.begin, sessions.boots.front());
}

TEST(sessions, a_boot_ends_what_was_open) {
  const session_history sessions = parse_last(describe_wtmp(bytes_of({entry(USER_PROCESS, "pts/0", "alice", 1716356000),
                                                                      entry(BOOT_TIME, "~", "reboot", 1716359600)}),
                                                            {}),
                                              june_2024);
  ASSERT_EQ(sessions.logins.size(), 1U);
  EXPECT_EQ(*sessions.logins[0].end - sessions.logins[0].start, std::chrono::hours{1});
}

TEST(sessions, a_torn_wtmp_is_read_as_far_as_it_goes) {
  std::string bytes = bytes_of({entry(USER_PROCESS, "pts/0", "alice", 1716356000)});
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(describe_wtmp(bytes, {}), "");
}

} // namespace
} // namespace gpucert
