// SPDX-License-Identifier: Apache-2.0
// Options of the command line: those that several verbs share, and how wrong ones are reported.
#pragma once

#include "node/host.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gpucert {

/// A command line of one verb. `--help` prints the manual page of that verb.
class command_line {
public:
  explicit command_line(std::string verb);

  CLI::App &options() { return app_; }
  /// Returns false when --help was asked for and answered. Throws wrong_input for a wrong command line.
  bool parse(const std::vector<std::string> &arguments);

private:
  std::string verb_;
  CLI::App app_;
  bool wants_help_ = false;
};

/// Which node, and how long it may take.
struct node_options {
  std::string root; // a capture
  std::string tree; // a bare file tree
  double deadline_seconds = 10;
  bool is_deep = false;

  void add_to(CLI::App &app);
  host::options for_host() const;
  /// For a person: "this machine", "capture DIR", "tree DIR".
  std::string describe() const;
};

/// The program gpucert-nvml, which is installed beside this one.
std::string nvml_program_path();

/// For the names of files and folders. An empty one comes from an unset variable of a script; taken as "not given", it
/// would judge another node than was meant.
CLI::Validator not_empty();

/// Adds --format with the words allowed; `chosen` holds the default.
void add_format_option(CLI::App &app, std::string &chosen, const std::vector<std::string> &words);

} // namespace gpucert
