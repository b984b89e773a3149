// SPDX-License-Identifier: Apache-2.0
// A verb of the program: `gpucert NAME ...`. To add one: a file certify/NAME_verb.cpp with a verb_registration, and its
// manual page docs/manual/NAME.txt, which is also its --help.
#pragma once

#include "certify/exit_code.h"
#include "node/registry.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct verb {
  std::string_view name;
  /// Gets the arguments behind the name. Throws wrong_input or unreadable_input for what the person can mend.
  exit_code (*run)(const std::vector<std::string> &arguments) = nullptr;
};

struct verb_registration {
  explicit verb_registration(const verb &unit) { registry<verb>::add(unit); }
};

} // namespace gpucert
