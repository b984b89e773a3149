// SPDX-License-Identifier: Apache-2.0
// gpucert report: shows a stored report in another view.
#include "certify/command_line.h"
#include "certify/report.h"
#include "certify/standard_output.h"
#include "certify/text_view.h"
#include "certify/verb.h"

namespace gpucert {
namespace {

exit_code run_report(const std::vector<std::string> &arguments) {
  command_line line("report");
  std::string file, format = "text";
  line.options().add_option("file", file)->required()->check(not_empty());
  add_format_option(line.options(), format, {"text", "json"});
  if (!line.parse(arguments))
    return exit_code::pass;
  const report run = read_report(file);
  print(format == "json" ? report_to_json(run) : text_view(run));
  return run.code();
}

const verb_registration registration{{"report", run_report}};

} // namespace
} // namespace gpucert
