// SPDX-License-Identifier: Apache-2.0
// The command line that gpucert-ready, gpucert-conformance and gpucert-bench share.
#pragma once

#include "harness/program_exit.h"
#include "harness/run_level.h"
#include "harness/run_settings.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

std::string_view name_of(run_scale scale);

/// `*` stands for any text and `?` for one character; everything else for itself.
bool matches_glob(std::string_view pattern, std::string_view text);

/// Which cases are run.
struct case_selection {
  std::vector<std::string> filters;  // globs on the id; none: all
  std::vector<std::string> excluded; // whole ids
  run_level level = run_level::extended;

  bool selects(std::string_view id, run_level lowest_level) const;
};

/// What was asked for on the command line.
struct program_options {
  run_settings settings;
  std::optional<int> device; // absent: each program's own default
  case_selection selection;
  std::string case_lines_path; // empty: no lines
  bool lists_only = false;
};

/// A command line that cannot be followed; what() is one line.
class wrong_usage : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads the command line. Adds the options of all programs to `app`, which may have some of its own.
/// Returns nothing when --help was asked for and printed. Throws wrong_usage.
std::optional<program_options> parse_program_options(CLI::App &app, const std::vector<std::string> &arguments);

/// Does `body` and turns what escapes from it into an exit code and one line on standard error: the frame of every
/// main.
int run_program(std::string_view name, const std::function<program_exit()> &body);

} // namespace gpucert
