// SPDX-License-Identifier: Apache-2.0
// A parser under fuzzing. To add one: a file tests/fuzz/NAME_fuzz.cpp with a fuzz_registration. What it is given may be
// anything; it must come back, in time linear in the size, without a word from the sanitizers.
#pragma once

#include "node/registry.h"

#include <string_view>
#include <vector>

namespace gpucert {

struct fuzz_target {
  std::string_view name; // its file's stem
  /// Ends of the paths below tests/nodes whose files are the first inputs.
  std::vector<std::string_view> seeds;
  void (*run)(std::string_view input) = nullptr;
  /// First inputs themselves, of what no node there has.
  std::vector<std::string_view> texts = {};
};

struct fuzz_registration {
  explicit fuzz_registration(const fuzz_target &unit) { registry<fuzz_target>::add(unit); }
};

} // namespace gpucert
