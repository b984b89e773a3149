// SPDX-License-Identifier: Apache-2.0
#include "harness/run_level.h"

namespace gpucert {

std::string_view name_of(run_level level) {
  switch (level) {
  case run_level::quick:
    return "quick";
  case run_level::standard:
    return "standard";
  case run_level::extended:
    return "extended";
  }
  return {};
}

std::optional<run_level> parse_run_level(std::string_view word) {
  for (const run_level level : {run_level::quick, run_level::standard, run_level::extended})
    if (name_of(level) == word)
      return level;
  return std::nullopt;
}

} // namespace gpucert
