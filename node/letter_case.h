// SPDX-License-Identifier: Apache-2.0
// Letters of ASCII in lower case, whatever the locale: words of tools and configurations are compared so.
#pragma once

#include <string>
#include <string_view>

namespace gpucert {

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char &letter : lower)
    if (letter >= 'A' && letter <= 'Z')
      letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

} // namespace gpucert
