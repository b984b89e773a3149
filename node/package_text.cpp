// SPDX-License-Identifier: Apache-2.0
#include "node/package_text.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view digits = "0123456789";

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// Letters, digits and `others`, of which a letter or a digit stands first.
bool is_made_of(std::string_view text, std::string_view others) {
  return !text.empty() && is_letter_or_digit(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || others.find(c) != others.npos;
  });
}

} // namespace

std::optional<std::string_view> next_line(std::string_view &rest) {
  return rest.empty() ? std::nullopt : std::optional(take_line(rest));
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<package_name> parse_package_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  package_name parsed{std::string{text.substr(0, colon)}, std::nullopt};
  // Debian allows + - . in names, RPM and pacman also _, and pacman @.
  if (!is_made_of(parsed.name, "+-._@"))
    return std::nullopt;
  if (colon != text.npos) {
    parsed.architecture = text.substr(colon + 1);
    if (!is_made_of(*parsed.architecture, "-_"))
      return std::nullopt;
  }
  return parsed;
}

std::optional<package_version> parse_package_version(std::string_view text) {
  // : epoch, ~ ^ + pre-releases and origins, _ and % inside RPM and pacman versions.
  if (!is_made_of(text, ".+-~:_^%") || text.find_first_of(digits) == text.npos || text.find("..") != text.npos)
    return std::nullopt;
  return package_version{std::string{text}};
}

} // namespace gpucert
