// SPDX-License-Identifier: Apache-2.0
// The program gpucert: finds the verb, and turns what escapes from it into an exit code and one clear line.
#include "certify/manual.h"
#include "certify/standard_output.h"
#include "certify/terminal_text.h"
#include "certify/verb.h"
#include "certify/version.h"
#include "node/file_descriptor.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>

namespace gpucert {
namespace {

const verb &require_verb(std::string_view name) {
  const auto &verbs = registry<verb>::units();
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const verb &candidate) { return candidate.name == name; });
  if (found == verbs.end())
    throw wrong_input(fmt::format("no verb '{}'", name), "see gpucert --help");
  return *found;
}

exit_code run_verb(const std::vector<std::string> &words) {
  if (words.empty())
    throw wrong_input("no verb", "see gpucert --help");
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    const bool has_topic = words[0] == "help" && words.size() > 1;
    print(manual_page(has_topic ? require_verb(words[1]).name : "gpucert"));
    return exit_code::pass;
  }
  if (words[0] == "--version") {
    print(fmt::format("gpucert {}\n", suite_version));
    return exit_code::pass;
  }
  return require_verb(words[0]).run({words.begin() + 1, words.end()});
}

/// One line on standard error. That nobody can read it (closed, full disk) changes nothing of the exit code.
void complain(std::string_view text) {
  [[maybe_unused]] const bool is_written =
      write_all(STDERR_FILENO, fmt::format("gpucert: {}\n", escape_for_terminal(text)));
}

exit_code run(const std::vector<std::string> &words) {
  try {
    return run_verb(words);
  } catch (const wrong_input &error) {
    complain(error.what());
    return exit_code::usage;
  } catch (const unreadable_input &error) {
    complain(error.what());
    return exit_code::unknown;
  } catch (const std::exception &error) {
    complain(fmt::format("internal error: {}; please report it with the command line", error.what()));
    return exit_code::unknown;
  }
}

/// A caller may close standard input, output or error. Their numbers would then go to the next file that is opened,
/// and what is meant for a person would be written into it. Opened for reading, so that writing fails and is noticed.
void occupy_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0) [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDONLY);
}

} // namespace
} // namespace gpucert

int main(int argument_count, char **arguments) {
  gpucert::occupy_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write(2), handled where it happens
  return static_cast<int>(gpucert::run({arguments + 1, arguments + argument_count}));
}
