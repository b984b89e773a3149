// SPDX-License-Identifier: Apache-2.0
// gpucert ready: the readiness probe. A fresh process uses CUDA on every GPU; when that fails, the stack says why.
#include "certify/acceptance.h"
#include "certify/command_line.h"
#include "certify/gpu_programs.h"
#include "certify/standard_output.h"
#include "certify/temporary_folder.h"
#include "certify/text_view.h"
#include "certify/verb.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

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
  const temporary_folder folder("gpucert-ready");
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
                    : text_view(run));
  return all_ready ? exit_code::pass : run.code();
}

const verb_registration registration{{"ready", run_ready}};

} // namespace
} // namespace gpucert
