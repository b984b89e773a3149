// SPDX-License-Identifier: Apache-2.0
#include "certify/terminal_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <optional>

namespace gpucert {
namespace {

struct character {
  char32_t code;
  std::size_t bytes;
};

/// The first character of a text in UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
std::optional<character> first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return character{lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes)
    return std::nullopt;
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t index = 1; index < bytes; ++index) {
    const auto next = static_cast<unsigned char>(text[index]);
    if ((next & 0xc0U) != 0x80U)
      return std::nullopt;
    code = code << 6U | (next & 0x3fU);
  }
  const bool is_overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (is_overlong || is_surrogate || code > 0x10ffff)
    return std::nullopt;
  return character{code, bytes};
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f); // C0, DEL and C1: U+009B begins a sequence as ESC [ does
}

bool changes_lines_or_direction(char32_t code) {
  return code == 0x2028 || code == 0x2029 || code == 0x200e || code == 0x200f || code == 0x061c ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

std::string escape_for_terminal(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::optional<character> first = first_character(text);
    const std::size_t bytes = first ? first->bytes : 1;
    if (!first)
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (first->code == '\t')
      safe += ' ';
    else if (is_control(first->code))
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}", static_cast<unsigned>(first->code));
    else if (changes_lines_or_direction(first->code))
      fmt::format_to(std::back_inserter(safe), "\\u{:04x}", static_cast<unsigned>(first->code));
    else
      safe += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return safe;
}

} // namespace gpucert
