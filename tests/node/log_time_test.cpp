// SPDX-License-Identifier: Apache-2.0
#include "node/log_time.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct time_text {
  const char *name;
  const char *text;
  const char *local;
  std::optional<int> offset_minutes;
};

class log_time_test : public testing::TestWithParam<time_text> {};

TEST_P(log_time_test, reads_local_time_and_offset) {
  const auto time = parse_log_time(GetParam().text);
  ASSERT_TRUE(time);
  EXPECT_EQ(format_local_time(time->local), GetParam().local);
  EXPECT_EQ(time->text, GetParam().text);
  ASSERT_EQ(time->utc_offset.has_value(), GetParam().offset_minutes.has_value());
  if (time->utc_offset) {
    EXPECT_EQ(time->utc_offset->count(), *GetParam().offset_minutes);
  }
}

INSTANTIATE_TEST_SUITE_P(
    formats, log_time_test,
    testing::Values(time_text{"apt", "2024-06-12  06:41:03", "2024-06-12 06:41:03", {}},
                    time_text{"dpkg", "2022-05-19 06:04:29", "2022-05-19 06:04:29", {}},
                    time_text{"pacman", "2026-09-10T12:00:02-0400", "2026-09-10 12:00:02", -240},
                    time_text{"pacman_before_2019", "2019-05-07 18:34", "2019-05-07 18:34:00", {}},
                    time_text{"dnf", "2026-02-14T09:30:12+0000", "2026-02-14 09:30:12", 0},
                    time_text{"dnf_hours_only", "2021-02-14T09:30:12+00", "2021-02-14 09:30:12", 0},
                    time_text{"zulu", "2019-10-11T07:51:56Z", "2019-10-11 07:51:56", 0},
                    time_text{"zone_with_colon", "2026-02-14T09:30:12+05:30", "2026-02-14 09:30:12", 330}),
    [](const auto &row) { return row.param.name; });

TEST(log_time, refuses_what_is_no_time) {
  for (const char *text :
       {"", "2024-06-12", "2024-06-12 ", "2024-02-30 06:41:03", "2024-06-12 24:00:00", "2024-06-12 06:61:03",
        "2024-06-12 06:41:03 upgrade", "2024-06-12T06:41:03+", "2024-06-12T06:41:03+02:", "24-06-12 06:41:03",
        "2024-6-12 06:41:03", "2024-06-1206:41:03", "-024-06-12 06:41:03", "2024-06-12  06:41:"})
    EXPECT_FALSE(parse_log_time(text)) << text;
}

TEST(log_time, unix_dates) {
  const auto near = parse_log_time("2024-06-12 06:41:03")->local;
  const auto found = [&](std::string_view line) {
    const auto time = find_unix_date(line, near);
    return time ? format_local_time(*time) : "";
  };
  EXPECT_EQ(found("reboot   system boot  5.15.0-105-generic Wed May 22 05:31   still running"), "2024-05-22 05:31:00");
  EXPECT_EQ(found("Sat Apr 13 23:38:47 2024"), "2024-04-13 23:38:47");
  EXPECT_EQ(found("Apr  3 18:55:23"), "2024-04-03 18:55:23");
  EXPECT_EQ(found("Dec 31 18:55:23"), "2023-12-31 18:55:23") << "nearer than this year's";
  EXPECT_EQ(found("Thu May 22 05:31"), "2025-05-22 05:31:00") << "the weekday decides";
  EXPECT_EQ(found("Feb 29 05:31"), "2024-02-29 05:31:00");
  for (const char *text : {"", "Wed May", "May 22", "May 32 05:31", "may 22 05:31", "Mayor 22 05:31", "Feb 30 05:31"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(log_time, instant_needs_a_zone) {
  EXPECT_FALSE(parse_log_time("2024-06-12  06:41:03")->instant());
  EXPECT_EQ(*parse_log_time("2026-09-10T12:00:02-0400")->instant(), *parse_log_time("2026-09-10T16:00:02Z")->instant());
}

} // namespace
} // namespace gpucert
