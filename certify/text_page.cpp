// SPDX-License-Identifier: Apache-2.0
#include "certify/text_page.h"

namespace gpucert {

std::string escape_for_terminal(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\t')
      safe += ' ';
    else if (code < 0x20 || code == 0x7f)
      safe += fmt::format("\\x{:02x}", code);
    else
      safe += letter;
  }
  return safe;
}

} // namespace gpucert
