// SPDX-License-Identifier: Apache-2.0
// gpucert check: judges the driver stack of this machine, of a capture or of a tree.
#include "certify/atomic_file.h"
#include "certify/command_line.h"
#include "certify/json_text.h"
#include "certify/report.h"
#include "certify/stack_json.h"
#include "certify/standard_output.h"
#include "certify/text_view.h"
#include "certify/verb.h"
#include "node/evidence.h"
#include "node/wrong_input.h"

namespace gpucert {
namespace {

struct check_options {
  node_options node;
  std::string format = "text";
  std::string output;
  std::optional<int> expected_gpus;
  bool is_strict = false;
};

void add_options(CLI::App &app, check_options &chosen) {
  chosen.node.add_to(app);
  add_format_option(app, chosen.format, {"text", "json"});
  app.add_option("--output", chosen.output)->check(not_empty());
  app.add_option("--expect-gpus", chosen.expected_gpus)->check(CLI::Range(0, 1024));
  app.add_flag("--strict", chosen.is_strict);
}

void publish(const report &run, const check_options &chosen) {
  const auto show = [&] {
    print(chosen.format == "json" ? json_text(stack_to_json(run.stack, static_cast<int>(run.code()))) : text_view(run));
  };
  try {
    if (!chosen.output.empty())
      write_report(chosen.output, run);
  } catch (const unreadable_input &) {
    show(); // a full disk is no reason to withhold the verdict
    throw;
  }
  show();
}

exit_code run_check(const std::vector<std::string> &arguments) {
  command_line line("check");
  check_options chosen;
  add_options(line.options(), chosen);
  if (!line.parse(arguments))
    return exit_code::pass;

  if (!chosen.output.empty())
    require_place_for_file(chosen.output);
  host node(chosen.node.for_host());
  const node_evidence evidence = read_evidence(node, {chosen.node.is_deep, nvml_program_path()});
  const report run = make_report(chosen.node.describe(), chosen.is_strict,
                                 judge_stack(evidence, {chosen.expected_gpus}, catalogue::built_in()));
  publish(run, chosen);
  return run.code();
}

const verb_registration registration{{"check", run_check}};

} // namespace
} // namespace gpucert
