// SPDX-License-Identifier: Apache-2.0
#include "certify/command_line.h"

#include "certify/manual.h"
#include "certify/standard_output.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {

command_line::command_line(std::string verb) : verb_(std::move(verb)) {
  app_.set_help_flag();
  app_.add_flag("-h,--help", wants_help_);
}

bool command_line::parse(const std::vector<std::string> &arguments) {
  // --help wins over whatever else is wrong with the line.
  if (std::any_of(arguments.begin(), arguments.end(),
                  [](const auto &word) { return word == "--help" || word == "-h"; })) {
    print(manual_page(verb_));
    return false;
  }
  try {
    app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
  } catch (const CLI::ParseError &error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw wrong_input(fmt::format("{}: {}", verb_, message), fmt::format("see gpucert {} --help", verb_));
  }
  return true;
}

void node_options::add_to(CLI::App &app) {
  auto *root_option = app.add_option("--root", root);
  auto *tree_option = app.add_option("--tree", tree);
  root_option->excludes(tree_option);
  app.add_option("--deadline", deadline_seconds)->check(CLI::Range(0.1, 3600.0));
  app.add_flag("--deep", is_deep);
}

host::options node_options::for_host() const {
  host::options options;
  if (!root.empty() || !tree.empty()) {
    options.kind = root.empty() ? host_kind::tree : host_kind::capture;
    options.folder = root.empty() ? tree : root;
  }
  options.deadline = std::chrono::milliseconds(static_cast<long long>(deadline_seconds * 1000));
  return options;
}

std::string node_options::describe() const {
  if (!root.empty())
    return "capture " + root;
  return tree.empty() ? "this machine" : "tree " + tree;
}

std::string nvml_program_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "gpucert-nvml" : (self.parent_path() / "gpucert-nvml").string();
}

void add_format_option(CLI::App &app, std::string &chosen, const std::vector<std::string> &words) {
  app.add_option("--format", chosen)->check(CLI::IsMember(words));
}

} // namespace gpucert
