// SPDX-License-Identifier: Apache-2.0
// gpucert accept: the main job after a driver change.
#include "certify/acceptance.h"
#include "certify/command_line.h"
#include "certify/standard_output.h"
#include "certify/text_view.h"
#include "certify/verb.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <unistd.h>

namespace gpucert {
namespace {

struct accept_arguments {
  acceptance_options run;
  std::string level = "standard";
  std::string scale;
  std::string output;
  std::string format = "text";
  int case_deadline_seconds = 60;
  int wait_for_fabric_seconds = 0;
};

void add_options(CLI::App &app, accept_arguments &chosen) {
  app.add_option("--level", chosen.level)->check(CLI::IsMember({"quick", "standard", "extended"}));
  app.add_option("--output", chosen.output);
  app.add_option("--simulate", chosen.run.simulation);
  app.add_option("--scale", chosen.scale)->check(CLI::IsMember({"full", "tiny"}));
  app.add_option("--seed", chosen.run.seed)
      ->check(CLI::Validator(
          [](std::string &text) {
            const bool is_number =
                !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == text.npos;
            return is_number ? "" : "'" + text + "' is no number of at most 19 digits";
          },
          ""));
  app.add_option("--pass-environment", chosen.run.passed_environment);
  app.add_option("--expect-gpus", chosen.run.expected_gpus)->check(CLI::Range(0, 1024));
  app.add_option("--case-deadline", chosen.case_deadline_seconds)->check(CLI::Range(1, 86400));
  app.add_option("--wait-for-fabric", chosen.wait_for_fabric_seconds)->check(CLI::Range(0, 3600));
  app.add_flag("--force", chosen.run.is_forced);
  app.add_flag("--strict", chosen.run.is_strict);
  add_format_option(app, chosen.format, {"text", "json"});
}

acceptance_options options_of(const accept_arguments &chosen) {
  acceptance_options options = chosen.run;
  options.level = *parse_run_level(chosen.level); // checked by the command line
  // Full shapes would take hours on the simulator, which charges their time for tiny ones.
  options.scale = !chosen.scale.empty() ? chosen.scale : options.simulation.empty() ? "full" : "tiny";
  options.output = !chosen.output.empty() ? chosen.output
                                          : fmt::format("results/runs/{:%Y-%m-%dT%H-%M-%SZ}-{}",
                                                        fmt::gmtime(std::time(nullptr)), ::getpid());
  options.case_deadline = std::chrono::seconds(chosen.case_deadline_seconds);
  options.wait_for_fabric = std::chrono::seconds(chosen.wait_for_fabric_seconds);
  return options;
}

exit_code run_accept(const std::vector<std::string> &arguments) {
  command_line line("accept");
  accept_arguments chosen;
  add_options(line.options(), chosen);
  if (!line.parse(arguments))
    return exit_code::pass;
  const acceptance_options options = options_of(chosen);
  const report run = run_acceptance(options);
  print(chosen.format == "json"
            ? report_to_json(run)
            : text_view(run) + fmt::format("\nReport: {}\n", (options.output / "report.json").string()));
  return run.code();
}

const verb_registration registration{{"accept", run_accept}};

} // namespace
} // namespace gpucert
