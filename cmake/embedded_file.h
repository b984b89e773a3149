// SPDX-License-Identifier: Apache-2.0
// A text file that was built into the program; see gpucert_embed in targets.cmake.
#pragma once

#include <string_view>
#include <vector>

namespace gpucert {

struct embedded_file {
  std::string_view name; // file name without its ending
  std::string_view text;
};

} // namespace gpucert
