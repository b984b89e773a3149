// SPDX-License-Identifier: Apache-2.0
#include "node/log_time.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

namespace {

constexpr std::array<std::string_view, 12> month_names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> weekday_names{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

template <std::size_t Count>
std::optional<unsigned> index_in(const std::array<std::string_view, Count> &names, std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word);
  return found == names.end() ? std::nullopt : std::optional(static_cast<unsigned>(found - names.begin()));
}

std::optional<unsigned> parse_short_number(std::string_view word) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && stop == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

struct date_without_year {
  std::chrono::month_day day;
  std::optional<unsigned> weekday;
  std::chrono::seconds time_of_day;

  std::optional<std::chrono::local_seconds> in(int year) const {
    const std::chrono::year_month_day date{std::chrono::year{year}, day.month(), day.day()};
    if (!date.ok())
      return std::nullopt;
    const std::chrono::local_days at{date};
    if (weekday && std::chrono::weekday{at}.c_encoding() != *weekday)
      return std::nullopt;
    return at + time_of_day;
  }
};

std::optional<std::chrono::local_seconds> nearest(const date_without_year &date, std::chrono::local_seconds near) {
  const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(near)};
  constexpr int weekday_cycle = 11; // a date has its weekday again after 5, 6 or 11 years
  std::optional<std::chrono::local_seconds> best;
  const auto distance = [&](std::chrono::local_seconds at) { return at > near ? at - near : near - at; };
  for (int year = static_cast<int>(today.year()) - weekday_cycle; year <= static_cast<int>(today.year()) + 1; ++year)
    if (const auto at = date.in(year); at && (!best || distance(*at) < distance(*best)))
      best = at;
  return best;
}

} // namespace

std::optional<std::chrono::local_seconds> find_unix_date(std::string_view line, std::chrono::local_seconds near) {
  std::optional<unsigned> weekday;
  while (!line.empty()) {
    const std::string_view word = take_word(line);
    const auto month = index_in(month_names, word);
    if (!month) {
      weekday = index_in(weekday_names, word);
      continue;
    }
    std::string_view rest = line;
    const auto day = parse_short_number(take_word(rest));
    std::string_view clock = take_word(rest);
    const auto time_of_day = take_time_of_day(clock);
    if (!day || !time_of_day || !clock.empty())
      continue;
    const date_without_year date{std::chrono::month{*month + 1} / std::chrono::day{*day}, weekday, *time_of_day};
    const auto year = parse_short_number(take_word(rest));
    return year && *year >= 1970 && *year < 10000 ? date.in(static_cast<int>(*year)) : nearest(date, near);
  }
  return std::nullopt;
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
