// SPDX-License-Identifier: Apache-2.0
// The program gpucert: finds the verb, and turns what escapes from it into an exit code and one clear line.
#include "certify/manual.h"
#include "certify/standard_output.h"
#include "certify/verb.h"
#include "certify/version.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace gpucert {
namespace {

exit_code run_verb(const std::vector<std::string> &words) {
  if (words.empty())
    throw wrong_input("no verb", "see gpucert --help");
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(manual_page(words.size() > 1 && words[0] == "help" ? words[1] : "gpucert"));
    return exit_code::pass;
  }
  if (words[0] == "--version") {
    print(fmt::format("gpucert {}\n", suite_version));
    return exit_code::pass;
  }
  const auto &verbs = registry<verb>::units();
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const verb &candidate) { return candidate.name == words[0]; });
  if (found == verbs.end())
    throw wrong_input(fmt::format("no verb '{}'", words[0]), "see gpucert --help");
  return found->run({words.begin() + 1, words.end()});
}

exit_code run(const std::vector<std::string> &words) {
  try {
    return run_verb(words);
  } catch (const wrong_input &error) {
    fmt::print(stderr, "gpucert: {}\n", error.what());
    return exit_code::usage;
  } catch (const unreadable_input &error) {
    fmt::print(stderr, "gpucert: {}\n", error.what());
    return exit_code::unknown;
  } catch (const std::exception &error) {
    fmt::print(stderr, "gpucert: internal error: {}; please report it with the command line\n", error.what());
    return exit_code::unknown;
  }
}

} // namespace
} // namespace gpucert

int main(int argument_count, char **arguments) {
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write(2), handled where it happens
  return static_cast<int>(gpucert::run({arguments + 1, arguments + argument_count}));
}
