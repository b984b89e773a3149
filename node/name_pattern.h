// SPDX-License-Identifier: Apache-2.0
// Patterns by which package tools choose names: the regular expressions of unattended-upgrades, and globs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace gpucert {

/// A regular expression as Python's re.match takes it: anchored at the start of the name only. Patterns come from the
/// node, so that a match has a bound on its work; beyond it there is no match.
class name_pattern {
public:
  enum class letters { as_written, either_case };

  explicit name_pattern(std::string_view pattern, letters how = letters::as_written);

  /// False where Python refuses the pattern too ("*nvidia*": nothing to repeat).
  bool is_valid() const { return code_ != nullptr; }
  bool matches(std::string_view name) const;

private:
  struct release {
    void operator()(pcre2_real_code_8 *code) const;
  };
  std::unique_ptr<pcre2_real_code_8, release> code_;
};

/// fnmatch(3) for a pattern of apt preferences, dnf or zypper.
bool matches_glob(const std::string &glob, const std::string &name);

} // namespace gpucert
