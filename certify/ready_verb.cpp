// SPDX-License-Identifier: Apache-2.0
// gpucert ready: the readiness probe. A fresh process uses CUDA on every GPU; when that fails, the stack says why.
#include "certify/acceptance.h"
#include "certify/command_line.h"
#include "certify/gpu_programs.h"
#include "certify/standard_output.h"
#include "certify/text_page.h"
#include "certify/verb.h"
#include "node/scratch_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

// A probe's text ends up in logs and in `kubectl describe`: the first of many like lines is enough there.
constexpr std::size_t most_lines = 3;

/// Why a GPU is not ready, in the words of its first bad case.
std::string describe_gpu(const gpu_record &gpu) {
  for (const program_record &program : gpu.programs) {
    for (const case_end &end : program.cases)
      if (end.outcome != case_outcome::pass)
        return fmt::format("GPU {}: {}: {}", gpu.index, end.name, end.reason);
    if (program.problem)
      return fmt::format("GPU {}: {}", gpu.index, *program.problem);
  }
  return fmt::format("GPU {}: nothing was probed", gpu.index);
}

/// A few lines: what is not ready, the cause, and what to do.
std::string not_ready_view(const report &run) {
  const auto &gpus = run.acceptance->gpus;
  const verdict &service = run.verdicts.return_to_service;
  std::vector<std::string> lines;
  for (const gpu_record &gpu : gpus)
    if (!is_ready(gpu))
      lines.push_back(describe_gpu(gpu));
  // A GPU too few, or libraries that are not the node's: the verdict says it.
  if (lines.empty() || service.word == verdict_word::invalid)
    lines = service.reasons;
  text_page out;
  out.line(0, fmt::format("{}{}: {} of {} GPU(s) ready", name_of(service.word),
                          is_simulated(*run.acceptance) ? " (SIMULATED)" : "",
                          std::count_if(gpus.begin(), gpus.end(), is_ready), gpus.size()));
  for (std::size_t index = 0; index < std::min(lines.size(), most_lines); ++index)
    out.line(2, lines[index]);
  if (lines.size() > most_lines)
    out.line(2, fmt::format("and {} more (--format json has all)", lines.size() - most_lines));
  const diagnosis &conclusion = run.stack.diagnosis;
  if (!conclusion.root_cause)
    return out.take();
  out.line(0, fmt::format("Cause: {}: {}", *conclusion.root_cause, run.stack.summary));
  out.line(
      0, fmt::format("What to do: {} ({}); `gpucert check` has the steps", conclusion.action_title, conclusion.action));
  return out.take();
}

exit_code run_ready(const std::vector<std::string> &arguments) {
  command_line line("ready");
  acceptance_options options;
  std::string format = "text";
  int wait_for_fabric_seconds = 0, deadline_seconds = 30;
  line.options().add_option("--simulate", options.simulation);
  line.options().add_option("--pass-environment", options.passed_environment);
  line.options().add_option("--expect-gpus", options.expected_gpus)->check(CLI::Range(0, 1024));
  line.options().add_option("--wait-for-fabric", wait_for_fabric_seconds)->check(CLI::Range(0, 3600));
  line.options().add_option("--deadline", deadline_seconds)->check(CLI::Range(1, 3600));
  add_format_option(line.options(), format, {"text", "json"});
  if (!line.parse(arguments))
    return exit_code::pass;
  const scratch_folder folder("gpucert-ready");
  options.output = folder.path();
  options.only_ready = true;
  options.wait_for_fabric = std::chrono::seconds(wait_for_fabric_seconds);
  options.case_deadline = std::chrono::seconds(deadline_seconds + wait_for_fabric_seconds);

  const report run = run_acceptance(options);
  const auto &gpus = run.acceptance->gpus;
  const bool is_valid =
      run.verdicts.return_to_service.word != verdict_word::invalid; // e.g. not the node's own libraries
  const bool all_ready = is_valid && !gpus.empty() && std::all_of(gpus.begin(), gpus.end(), is_ready) &&
                         static_cast<int>(gpus.size()) >= options.expected_gpus.value_or(0);
  if (format == "json")
    print(report_to_json(run));
  else
    print(all_ready ? fmt::format("PASS{}: {} GPU(s) ready\n", is_simulated(*run.acceptance) ? " (SIMULATED)" : "",
                                  gpus.size())
                    : not_ready_view(run));
  return all_ready ? exit_code::pass : run.code();
}

const verb_registration registration{{"ready", run_ready}};

} // namespace
} // namespace gpucert
