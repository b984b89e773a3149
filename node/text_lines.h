// SPDX-License-Identifier: Apache-2.0
// Walking over text line by line and word by word, without copies.
#pragma once

#include <cctype>
#include <string_view>

namespace gpucert {

/// Takes the first line off `rest` and returns it without its line end (LF or CRLF).
inline std::string_view take_line(std::string_view &rest) {
  const auto newline = rest.find('\n');
  std::string_view line = rest.substr(0, newline);
  rest.remove_prefix(newline == rest.npos ? rest.size() : newline + 1);
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

inline bool is_blank(char letter) { return letter == ' ' || letter == '\t'; }

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// Takes the first word off `rest`: blanks before it are dropped, the blank after it stays. Empty at the end.
inline std::string_view take_word(std::string_view &rest) {
  while (!rest.empty() && is_blank(rest.front()))
    rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size]))
    ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

/// True when `text` holds `part`, letters compared without case. For messages whose capitals differ by version.
bool contains_ignoring_case(std::string_view text, std::string_view part);

} // namespace gpucert
