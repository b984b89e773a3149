// SPDX-License-Identifier: Apache-2.0
#include "certify/monitoring_view.h"
#include "certify/terminal_text.h"

#include <algorithm>

namespace gpucert {
namespace {

// node-problem-detector's max_output_length; what is longer it cuts itself, in the middle of a word.
constexpr std::size_t most_bytes = 80;

} // namespace

exit_code npd_code(const report &run) {
  switch (run.stack.status) {
  case stack_status::pass:
    return exit_code::pass;
  case stack_status::warn:
    return run.is_strict ? exit_code::monitored_problem : exit_code::pass;
  case stack_status::fail:
    return exit_code::monitored_problem;
  case stack_status::unknown:
    break;
  }
  return static_cast<exit_code>(2); // node-problem-detector's "unknown"
}

std::string npd_view(const report &run) {
  const auto &cause = run.stack.diagnosis.root_cause;
  const bool has_problem = run.stack.status == stack_status::fail || run.stack.status == stack_status::warn;
  std::string line = has_problem && cause ? *cause + ": " + run.stack.diagnosis.action : run.stack.summary;
  line = escape_for_terminal(line);
  line.resize(std::min(line.size(), most_bytes));
  return line + "\n";
}

} // namespace gpucert
