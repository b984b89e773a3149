// SPDX-License-Identifier: Apache-2.0
#include "certify/monitoring_view.h"
#include "certify/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 4> state_words{"OK", "WARNING", "CRITICAL", "UNKNOWN"};

/// '|' begins the performance data, in any line.
std::string without_bars(std::string_view text) {
  std::string result = escape_for_terminal(text);
  std::replace(result.begin(), result.end(), '|', '/');
  return result;
}

long count_unexplained(const report &run, severity level) {
  return std::count_if(run.stack.findings.begin(), run.stack.findings.end(),
                       [&](const reported_finding &found) { return found.level == level && !found.is_explained; });
}

std::string line_of(const reported_finding &found) {
  return without_bars(fmt::format("{}{} [{}] {}: {}{}", found.is_explained ? "  follows: " : "", found.id,
                                  name_of(found.level), found.title, found.saw,
                                  found.is_explained ? "" : fmt::format(" (action {})", found.action))) +
         "\n";
}

} // namespace

exit_code nagios_code(const report &run) {
  switch (run.stack.status) {
  case stack_status::pass:
    return exit_code::pass;
  case stack_status::warn:
    return run.is_strict ? exit_code::fail : exit_code::monitored_problem;
  case stack_status::fail:
    return exit_code::fail;
  case stack_status::unknown:
    break;
  }
  return exit_code::unknown;
}

std::string nagios_view(const report &run) {
  const auto &conclusion = run.stack.diagnosis;
  const bool has_cause = run.stack.status == stack_status::fail || run.stack.status == stack_status::warn;
  std::string out = fmt::format(
      "GPUCERT {} - {}{}", state_words.at(static_cast<std::size_t>(nagios_code(run))), without_bars(run.stack.summary),
      has_cause ? fmt::format(" ({}, action {})", conclusion.root_cause.value_or(""), conclusion.action) : "");
  out += fmt::format(" | fail={};;0;0 warn={};0;;0 unknown={};;;0\n", count_unexplained(run, severity::fail),
                     count_unexplained(run, severity::warn), run.stack.unknown.size());
  for (const reported_finding &found : run.stack.findings)
    out += line_of(found);
  for (const unknown_in_check &missing : run.stack.unknown)
    out += without_bars(fmt::format("unknown: {} ({}: {})", missing.fact.what, missing.fact.source, missing.fact.why)) +
           "\n";
  return out;
}

} // namespace gpucert
