// SPDX-License-Identifier: Apache-2.0
#include "certify/manual.h"

#include "cmake/embedded_file.h"

#include <stdexcept>

namespace gpucert {

namespace manual_pages {
extern const std::vector<embedded_file> embedded_files;
}

std::string_view manual_page(std::string_view name) {
  for (const embedded_file &page : manual_pages::embedded_files)
    if (page.name == name)
      return page.text;
  throw std::logic_error("no manual page docs/manual/" + std::string(name) + ".txt");
}

} // namespace gpucert
