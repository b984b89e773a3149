// SPDX-License-Identifier: Apache-2.0
#include "node/driver_version.h"

#include <algorithm>
#include <charconv>

namespace gpucert {

std::optional<driver_release> driver_release::parse(std::string_view text) {
  driver_release release;
  release.text_ = text;
  const char *at = text.data();
  const char *const end = at + text.size();
  for (;;) {
    int number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0)
      return std::nullopt;
    release.numbers_.push_back(number);
    if (stop == end)
      break;
    if (*stop != '.')
      return std::nullopt;
    at = stop + 1;
  }
  if (release.numbers_.size() < 2)
    return std::nullopt;
  return release;
}

std::optional<driver_release> driver_release::parse_prefix(std::string_view text) {
  std::string_view prefix = text.substr(0, text.find_first_not_of("0123456789."));
  while (prefix.ends_with('.')) // a version at the end of a sentence
    prefix.remove_suffix(1);
  return parse(prefix);
}

bool driver_release::is_prefix_of(const driver_release &whole) const {
  return numbers_.size() <= whole.numbers_.size() &&
         std::equal(numbers_.begin(), numbers_.end(), whole.numbers_.begin());
}

std::optional<driver_release> package_version::release() const {
  std::string_view upstream = text;
  // An epoch is digits and a colon: "3:565.77-1.el8".
  if (const auto colon = upstream.find(':'); colon != upstream.npos)
    upstream.remove_prefix(colon + 1);
  return driver_release::parse_prefix(upstream);
}

} // namespace gpucert
