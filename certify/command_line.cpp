// SPDX-License-Identifier: Apache-2.0
#include "certify/command_line.h"

#include "certify/manual.h"
#include "certify/standard_output.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gpucert {
namespace {

/// Unlike CLI::Range it refuses "nan", which is neither below nor above a bound.
CLI::Validator seconds_within(double least, double most) {
  return CLI::Validator(
      [=](const std::string &text) {
        double seconds = 0;
        const bool is_within = CLI::detail::lexical_cast(text, seconds) && seconds >= least && seconds <= most;
        return is_within ? std::string() : fmt::format("{} is not between {} and {} seconds", text, least, most);
      },
      "");
}

/// An option that its manual page does not name is a mistake of the program: nobody would find it.
void require_documented(const CLI::App &app, const std::string &verb) {
  const std::string_view page = manual_page(verb);
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      if (page.find("\n  --" + name) == page.npos && page.find("  -h, --" + name) == page.npos)
        throw std::logic_error(fmt::format("docs/manual/{}.txt does not name --{}", verb, name));
}

} // namespace

CLI::Validator not_empty() {
  return CLI::Validator([](const std::string &text) { return text.empty() ? std::string("is empty") : std::string(); },
                        "");
}

command_line::command_line(std::string verb) : verb_(std::move(verb)) {
  app_.set_help_flag();
  app_.add_flag("-h,--help", wants_help_);
}

bool command_line::parse(const std::vector<std::string> &arguments) {
  require_documented(app_, verb_);
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
  auto *root_option = app.add_option("--root", root)->check(not_empty());
  auto *tree_option = app.add_option("--tree", tree)->check(not_empty());
  root_option->excludes(tree_option);
  app.add_option("--deadline", deadline_seconds)->check(seconds_within(0.1, 3600));
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
