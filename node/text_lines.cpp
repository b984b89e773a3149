// SPDX-License-Identifier: Apache-2.0
#include "node/text_lines.h"

#include <algorithm>

namespace gpucert {

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

} // namespace gpucert
