// SPDX-License-Identifier: Apache-2.0
// The database of pacman, as `pacman -Q` prints it.
#include "node/package_database.h"
#include "node/package_text.h"

namespace gpucert {

std::vector<installed_package> parse_pacman_list(std::string_view text) {
  std::vector<installed_package> packages;
  while (auto line = next_line(text)) {
    const auto name = parse_package_name(take_word(*line));
    auto version = parse_package_version(take_word(*line));
    if (!name || name->architecture || !version || !take_word(*line).empty())
      continue; // "error: package 'x' was not found"
    installed_package package;
    package.name = name->name;
    package.version = std::move(version);
    packages.push_back(std::move(package));
  }
  return packages;
}

} // namespace gpucert
