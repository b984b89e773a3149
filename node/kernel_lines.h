// SPDX-License-Identifier: Apache-2.0
// Lines of a kernel log without the prefixes of whoever wrote them down.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gpucert {

/// One line of the log without its prefix. Views into the text that was parsed.
struct kernel_line {
  std::optional<double> seconds_since_boot; // of "[ 1845112.400512]" and kmsg; a continuation inherits it
  std::string_view wall_time;               // of syslog, journal and dmesg -T, as written; else empty
  std::string_view message;                 // "NVRM: API mismatch: ..."
};

/// Strips stamps, thread tags, host and "kernel:", cloud-init's outer layer and <N> levels off one line.
kernel_line strip_prefixes(std::string_view line);

/// Takes the next part off a line in which newlines were escaped: "#012" by rsyslog, "\x0a" by /dev/kmsg.
std::string_view take_part(std::string_view &line);

/// Splits a log into lines, at escaped newlines too, and strips their prefixes.
std::vector<kernel_line> parse_kernel_lines(std::string_view text);

/// A wall time of a log as seconds, for differences between lines of one log: the zone is left out, and the year where
/// the log has none. Reads "May 19 07:08:57", "Sat Jul 11 05:52:47 2026" and "2026-09-27T10:01:02.5+0000".
std::optional<double> seconds_of_wall_time(std::string_view text);

} // namespace gpucert
