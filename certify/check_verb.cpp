// SPDX-License-Identifier: Apache-2.0
// gpucert check: judges the driver stack of this machine, of a capture or of a tree.
#include "certify/atomic_file.h"
#include "certify/command_line.h"
#include "certify/json_text.h"
#include "certify/monitoring_view.h"
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
  std::string textfile;
  std::optional<int> expected_gpus;
  bool is_strict = false;
};

void add_options(CLI::App &app, check_options &chosen) {
  chosen.node.add_to(app);
  add_format_option(app, chosen.format, {"text", "json", "nagios", "prometheus", "npd"});
  app.add_option("--textfile", chosen.textfile)->check(not_empty());
  app.add_option("--output", chosen.output)->check(not_empty());
  app.add_option("--expect-gpus", chosen.expected_gpus)->check(CLI::Range(0, 1024));
  app.add_flag("--strict", chosen.is_strict);
}

std::string view_of(const report &run, std::string_view format) {
  if (format == "json")
    return json_text(stack_to_json(run.stack, static_cast<int>(run.code())));
  if (format == "nagios")
    return nagios_view(run);
  if (format == "prometheus")
    return prometheus_view(run);
  if (format == "npd")
    return npd_view(run);
  return text_view(run);
}

exit_code code_of(const report &run, std::string_view format) {
  return format == "nagios" ? nagios_code(run) : format == "npd" ? npd_code(run) : run.code();
}

void publish(const report &run, const check_options &chosen) {
  const std::string view = view_of(run, chosen.format);
  try {
    if (!chosen.output.empty())
      write_report(chosen.output, run);
    if (!chosen.textfile.empty())
      write_atomically(chosen.textfile, prometheus_view(run));
  } catch (const unreadable_input &) {
    print(view); // a full disk is no reason to withhold the verdict
    throw;
  }
  print(view);
}

exit_code run_check(const std::vector<std::string> &arguments) {
  command_line line("check");
  check_options chosen;
  add_options(line.options(), chosen);
  if (!line.parse(arguments))
    return exit_code::pass;

  for (const std::string &file : {chosen.output, chosen.textfile})
    if (!file.empty())
      require_place_for_file(file);
  host node(chosen.node.for_host());
  const node_evidence evidence = read_evidence(node, {chosen.node.is_deep, nvml_program_path()});
  const report run = make_report(chosen.node.describe(), chosen.is_strict,
                                 judge_stack(evidence, {chosen.expected_gpus}, catalogue::built_in()));
  publish(run, chosen);
  return code_of(run, chosen.format);
}

const verb_registration registration{{"check", run_check}};

} // namespace
} // namespace gpucert
