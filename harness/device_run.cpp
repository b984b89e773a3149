// SPDX-License-Identifier: Apache-2.0
#include "harness/device_run.h"

#include "harness/device.h"

#include <fmt/format.h>

#include <stdexcept>

namespace gpucert {
namespace {

program_exit report_no_device(std::string_view id, const cuda_failure &failure, case_writer &lines) {
  case_end end;
  end.name = id;
  end.reason = failure.reason;
  end.cuda_error = failure.code;
  lines.write(start_line(end.name));
  lines.write(to_line(end));
  fmt::print("{} {}: {}\n", end.name, name_of(end.outcome), end.reason);
  return program_exit::failed;
}

} // namespace

program_exit run_on_device(const device_run &wanted, const program_options &options) {
  if (options.lists_only) {
    for (const std::string &id : wanted.case_ids)
      fmt::print("{}\n", id);
    return program_exit::passed;
  }
  if (wanted.case_ids.empty())
    throw std::runtime_error("no case is chosen by --filter, --exclude and --level");
  set_current_settings(options.settings);
  case_writer lines(options.case_lines_path);
  const auto failure = open_device(options.settings.device);
  const auto device = failure ? std::nullopt : read_device_identity(options.settings.device);
  lines.write(to_line(read_run_event(wanted.program, options.settings, device)));
  return failure ? report_no_device(wanted.device_case, *failure, lines) : wanted.run_cases(lines);
}

} // namespace gpucert
