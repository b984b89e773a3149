// SPDX-License-Identifier: Apache-2.0
#include "node/log_time.h"

#include <fmt/format.h>

#include <charconv>

namespace gpucert {
namespace {

/// Takes a number of exactly `digits` digits off the front.
std::optional<unsigned> take_number(std::string_view &rest, std::size_t digits) {
  if (rest.size() < digits)
    return std::nullopt;
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + digits, number);
  if (error != std::errc{} || stop != rest.data() + digits)
    return std::nullopt;
  rest.remove_prefix(digits);
  return number;
}

bool take_char(std::string_view &rest, char wanted) {
  if (!rest.starts_with(wanted))
    return false;
  rest.remove_prefix(1);
  return true;
}

std::optional<std::chrono::local_days> take_date(std::string_view &rest) {
  const auto year = take_number(rest, 4);
  if (!year || !take_char(rest, '-'))
    return std::nullopt;
  const auto month = take_number(rest, 2);
  if (!month || !take_char(rest, '-'))
    return std::nullopt;
  const auto day = take_number(rest, 2);
  if (!day)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)}, std::chrono::month{*month},
                                         std::chrono::day{*day}};
  if (!date.ok())
    return std::nullopt;
  return std::chrono::local_days{date};
}

std::optional<std::chrono::seconds> take_time_of_day(std::string_view &rest) {
  const auto hour = take_number(rest, 2);
  if (!hour || !take_char(rest, ':'))
    return std::nullopt;
  const auto minute = take_number(rest, 2);
  std::optional<unsigned> second = 0;
  if (take_char(rest, ':'))
    second = take_number(rest, 2);
  if (!minute || !second || *hour > 23 || *minute > 59 || *second > 60) // 60: a leap second
    return std::nullopt;
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute} + std::chrono::seconds{*second};
}

std::optional<std::chrono::minutes> take_zone(std::string_view &rest) {
  if (take_char(rest, 'Z'))
    return std::chrono::minutes{0};
  const bool is_west = rest.starts_with('-');
  if (!is_west && !rest.starts_with('+'))
    return std::nullopt;
  rest.remove_prefix(1);
  const auto hours = take_number(rest, 2);
  if (!hours)
    return std::nullopt;
  std::optional<unsigned> minutes = 0;
  if (take_char(rest, ':') || !rest.empty())
    minutes = take_number(rest, 2);
  if (!minutes || *hours > 23 || *minutes > 59)
    return std::nullopt;
  const std::chrono::minutes offset = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
  return is_west ? -offset : offset;
}

} // namespace

std::optional<std::chrono::sys_seconds> log_time::instant() const {
  if (!utc_offset)
    return std::nullopt;
  return std::chrono::sys_seconds{local.time_since_epoch() - *utc_offset};
}

std::optional<log_time> parse_log_time(std::string_view text) {
  std::string_view rest = text;
  const auto date = take_date(rest);
  if (!date)
    return std::nullopt;
  if (!take_char(rest, 'T')) {
    const std::size_t blanks = rest.find_first_not_of(' ');
    if (blanks == 0 || blanks == rest.npos)
      return std::nullopt;
    rest.remove_prefix(blanks);
  }
  const auto time_of_day = take_time_of_day(rest);
  if (!time_of_day)
    return std::nullopt;
  log_time time{*date + *time_of_day, std::nullopt, std::string{text}};
  if (rest.empty())
    return time;
  time.utc_offset = take_zone(rest);
  if (!time.utc_offset || !rest.empty())
    return std::nullopt;
  return time;
}

std::string format_local_time(std::chrono::local_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

} // namespace gpucert
