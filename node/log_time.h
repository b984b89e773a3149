// SPDX-License-Identifier: Apache-2.0
// Points in time as package logs write them. Most logs give the node's local time and do not say its zone.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

struct log_time {
  std::chrono::local_seconds local;
  std::optional<std::chrono::minutes> utc_offset; // only where the log states it (pacman, dnf)
  std::string text;                               // as written

  /// The instant, where the log states its zone. Without one, only the node's own zone could tell.
  std::optional<std::chrono::sys_seconds> instant() const;
};

/// Reads a whole text of one of the forms below; anything before or after is refused.
///   2024-06-12  06:41:03       apt (two blanks), dpkg and zypp (one)
///   2026-09-10T12:00:02-0400   pacman since 2019, dnf; the zone also as Z, +00 and +02:00
///   2019-05-07 18:34           pacman before 2019
std::optional<log_time> parse_log_time(std::string_view text);

/// Finds a date that has no zone and often no year, as `last`, syslog and `dmesg -T` write it, anywhere in a line:
///   Wed May 22 05:31    Sat Apr 13 23:38:47 2024    Apr 23 18:55:23
/// A missing year is the one that brings the date nearest to `near`, out of those in which the weekday fits.
std::optional<std::chrono::local_seconds> find_unix_date(std::string_view line, std::chrono::local_seconds near);

/// "2024-06-12 06:41:03", the form of every view.
std::string format_local_time(std::chrono::local_seconds time);

} // namespace gpucert
