// SPDX-License-Identifier: Apache-2.0
// Rotated logs (history.log.1.gz): gzip to text, by RFC 1952.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

enum class inflate_end {
  complete,  // every member to its end, and its checksum holds
  truncated, // the bytes stop inside a member: a log that was cut, or is being written
  damaged,   // a wrong checksum, broken deflate data, or bytes after the last member that are no member
  limit,     // there is more text than the caller takes
};

struct inflated_text {
  std::string text; // what could be read, also when the end is not `complete`
  inflate_end end;
};

/// Inflates gzip members in a row, as `cat a.gz b.gz` makes them; zero bytes after the last one are padding.
/// Absent when `bytes` do not begin like gzip, for then they are text already. A bomb (1 MB holds 1 GB of zeros) stops
/// at `limit_bytes` of text.
std::optional<inflated_text> inflate_gzip(std::string_view bytes, std::size_t limit_bytes);

/// One gzip member without a time stamp, so that the same text gives the same bytes.
std::string deflate_gzip(std::string_view text);

} // namespace gpucert
