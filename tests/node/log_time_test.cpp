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

TEST(log_time, instant_needs_a_zone) {
  EXPECT_FALSE(parse_log_time("2024-06-12  06:41:03")->instant());
  EXPECT_EQ(*parse_log_time("2026-09-10T12:00:02-0400")->instant(), *parse_log_time("2026-09-10T16:00:02Z")->instant());
}

} // namespace
} // namespace gpucert
