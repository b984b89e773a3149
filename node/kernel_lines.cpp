// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_lines.h"

#include "node/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

namespace gpucert {
namespace {

// Prefixes nest (a syslog line inside cloud-init's console line), but no log nests deeper than this.
constexpr int most_prefixes = 6;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

void drop_blanks(std::string_view &text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
}

std::optional<double> parse_seconds(std::string_view text) {
  text = trim(text);
  double seconds = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || stop != text.data() + text.size() || !(seconds >= 0) || seconds > 1e12)
    return std::nullopt;
  return seconds;
}

/// "<4>" of klogctl.
bool strip_level(std::string_view &text) {
  const auto close = text.find('>');
  if (!text.starts_with('<') || close == text.npos || close > 4 || close < 2 || !is_digit(text[1]))
    return false;
  text.remove_prefix(close + 1);
  return true;
}

/// "[   12.345678] ", "[   T1343] ", "[Sat Apr 13 23:38:47 2024] ", "[  +0.000421] ", "[12.5] cloud-init[3620]: ".
bool strip_bracket(kernel_line &line) {
  std::string_view &text = line.message;
  const auto close = text.find(']');
  if (!text.starts_with('[') || close == text.npos || close > 32)
    return false;
  const std::string_view inside = text.substr(1, close - 1);
  if (const auto seconds = parse_seconds(inside))
    line.seconds_since_boot = line.seconds_since_boot ? line.seconds_since_boot : seconds;
  else if (const auto word = trim(inside);
           word.size() > 19 && word.find(':') != word.npos) // a date of dmesg -T; "+0.0004" and "T1343" are neither
    line.wall_time = word;
  else if (word.empty() || (word.front() != '+' && word.front() != 'T' && word.front() != 'C'))
    return false;
  text.remove_prefix(close + 1);
  return true;
}

/// "4,1042,8462102,-;" of /dev/kmsg: level, sequence, microseconds since boot, flags.
bool strip_kmsg(kernel_line &line) {
  std::string_view &text = line.message;
  const auto end = text.find(';');
  if (text.empty() || !is_digit(text.front()) || end == text.npos || end > 64)
    return false;
  std::string_view fields = text.substr(0, end);
  int commas = 0;
  std::string_view third;
  for (std::size_t at = 0, start = 0; at <= fields.size(); ++at)
    if (at == fields.size() || fields[at] == ',') {
      if (commas == 2)
        third = fields.substr(start, at - start);
      start = at + 1;
      ++commas;
    }
  const auto microseconds = parse_seconds(third);
  if (commas < 4 || !microseconds)
    return false;
  line.seconds_since_boot = *microseconds / 1e6;
  text.remove_prefix(end + 1);
  return true;
}

/// The length of "Apr 23 18:55:23" or "2026-09-27T10:01:02+0000" at the start, 0 when there is no date.
std::size_t date_length(std::string_view text) {
  if (text.size() > 19 && is_digit(text[0]) && text[4] == '-' && text[10] == 'T')
    return std::min(text.find(' '), text.size());
  const bool is_syslog = text.size() > 15 && text[3] == ' ' && text[6] == ' ' && text[9] == ':' && text[12] == ':';
  return is_syslog ? 15 : 0;
}

/// "DATE HOST kernel: ": the host is dropped unseen.
bool strip_syslog(kernel_line &line) {
  std::string_view text = line.message;
  const std::size_t length = date_length(text);
  if (length == 0)
    return false;
  line.wall_time = text.substr(0, length);
  text.remove_prefix(length);
  drop_blanks(text);
  std::string_view behind_host = text;
  if (!take_word(behind_host).ends_with(':')) // `dmesg --time-format iso` has no host: "DATE NVRM: ..."
    text = behind_host;
  drop_blanks(text);
  line.message = text;
  return true;
}

/// "kernel:" and "cloud-init[3620]:" in front of the kernel's own words.
bool strip_tag(std::string_view &text) {
  for (const std::string_view tag : {"kernel:", "cloud-init["}) {
    if (!text.starts_with(tag))
      continue;
    const auto colon = text.find(':');
    if (colon == text.npos)
      return false;
    text.remove_prefix(colon + 1);
    return true;
  }
  return false;
}

/// Takes a number of so many digits off the text, 0 where there is none.
int digits_at(std::string_view text, std::size_t at, std::size_t size) {
  int number = 0;
  if (at + size <= text.size())
    std::from_chars(text.data() + at, text.data() + at + size, number);
  return number;
}

/// The number of the month whose name stands at the start of the text, 0 where none does.
unsigned month_at(std::string_view text) {
  constexpr std::string_view names = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const auto at = text.size() < 3 ? names.npos : names.find(text.substr(0, 3));
  return at == names.npos || at % 3 != 0 ? 0 : static_cast<unsigned>(at / 3 + 1);
}

std::optional<double> seconds_of_day(int year, unsigned month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok())
    return std::nullopt;
  return 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

} // namespace

kernel_line strip_prefixes(std::string_view text) {
  kernel_line line{std::nullopt, {}, text};
  for (int layer = 0; layer < most_prefixes; ++layer) {
    drop_blanks(line.message);
    if (!strip_level(line.message) && !strip_bracket(line) && !strip_kmsg(line) && !strip_syslog(line) &&
        !strip_tag(line.message))
      break;
  }
  drop_blanks(line.message);
  // Colours, quotes, JSON and severities stand before the module's own words; none of these is a prefix to be read.
  constexpr std::string_view nvrm = "NVRM: ";
  if (const auto at = line.message.find(nvrm); at != line.message.npos && at > 0)
    line.message.remove_prefix(at);
  return line;
}

std::string_view take_part(std::string_view &line) {
  constexpr std::size_t escape_bytes = 4;
  for (auto at = line.find_first_of("#\\"); at != line.npos; at = line.find_first_of("#\\", at + 1)) {
    const std::string_view escape = line.substr(at, escape_bytes);
    if (escape == "#012" || escape == "\\x0a") {
      const std::string_view part = line.substr(0, at);
      line.remove_prefix(at + escape_bytes);
      return part;
    }
  }
  return std::exchange(line, {});
}

std::optional<double> seconds_of_wall_time(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon < 2 || colon + 6 > text.size() || text[colon + 3] != ':')
    return std::nullopt;
  double seconds =
      digits_at(text, colon - 2, 2) * 3600.0 + digits_at(text, colon + 1, 2) * 60.0 + digits_at(text, colon + 4, 2);
  if (const auto dot = colon + 6; dot < text.size() && (text[dot] == '.' || text[dot] == ','))
    seconds += digits_at(text, dot + 1, 3) / 1000.0;
  constexpr int some_year = 2000; // a leap year
  std::optional<double> day_start;
  if (is_digit(text.front())) {
    day_start =
        seconds_of_day(digits_at(text, 0, 4), static_cast<unsigned>(digits_at(text, 5, 2)), digits_at(text, 8, 2));
  } else {
    const std::string_view date = month_at(text) != 0 || text.size() < 5 ? text : text.substr(4); // "Sat Jul 11 ..."
    const int year = text.size() > colon + 10 ? digits_at(text, colon + 7, 4) : 0;
    const int day = date.substr(4, 1) == " " ? digits_at(date, 5, 1) : digits_at(date, 4, 2);
    day_start = seconds_of_day(year > 0 ? year : some_year, month_at(date), day);
  }
  return day_start ? std::optional(*day_start + seconds) : std::nullopt;
}

std::vector<kernel_line> parse_kernel_lines(std::string_view text) {
  std::vector<kernel_line> lines;
  while (!text.empty()) {
    std::string_view rest = take_line(text);
    do {
      kernel_line line = strip_prefixes(take_part(rest));
      if (!lines.empty() && !line.seconds_since_boot && line.wall_time.empty()) { // a continuation of one printk
        line.seconds_since_boot = lines.back().seconds_since_boot;
        line.wall_time = lines.back().wall_time;
      }
      lines.push_back(line);
    } while (!rest.empty());
  }
  return lines;
}

} // namespace gpucert
