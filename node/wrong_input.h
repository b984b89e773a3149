// SPDX-License-Identifier: Apache-2.0
// What a person gave us and we cannot use. One line: what, where, and what to do; main turns it into an exit code.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace gpucert {

/// The command line names something that does not exist or is not what it should be: exit 64.
class wrong_input : public std::runtime_error {
public:
  wrong_input(const std::string &what_and_where, const std::string &what_to_do)
      : std::runtime_error(fmt::format("{}; {}", what_and_where, what_to_do)) {}
};

/// It exists, and cannot be read or written (permission, full disk, broken content): exit 3.
class unreadable_input : public std::runtime_error {
public:
  unreadable_input(const std::string &what_and_where, const std::string &what_to_do)
      : std::runtime_error(fmt::format("{}; {}", what_and_where, what_to_do)) {}
};

} // namespace gpucert
