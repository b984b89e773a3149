// SPDX-License-Identifier: Apache-2.0
// The report of a run: one struct, stored as JSON, from which every view is made.
#pragma once

#include "certify/acceptance_record.h"
#include "certify/exit_code.h"
#include "certify/verdict.h"
#include "checks/stack_report.h"

#include <filesystem>
#include <optional>
#include <string>

namespace gpucert {

/// The name of the format in the file. The number rises when a reader of the old format would misread the new one; new
/// fields alone do not raise it. Schema: results/schema/report-1.schema.json.
inline constexpr std::string_view report_schema = "gpucert-report-1";

struct report {
  std::string suite_version;
  std::string created; // UTC, 2026-05-21T06:52:45Z
  std::string subject; // what was examined: "this machine", "capture DIR"
  bool is_strict = false;
  stack_report stack;
  std::optional<acceptance_record> acceptance; // of gpucert accept; absent for a check
  gpucert::verdicts verdicts;                  // of an acceptance run

  /// 0 pass, 2 fail, 3 unknown; a warning is 2 when strict. An acceptance run follows return_to_service, a check the
  /// status of the stack.
  exit_code code() const;
  exit_code code_of_stack() const;
};

/// A report of now, by this version of the suite.
report make_report(std::string subject, bool is_strict, stack_report stack);

std::string report_to_json(const report &run);
void write_report(const std::filesystem::path &path, const report &run);

/// Throws wrong_input when there is no such file, unreadable_input when it is no report of a format known here.
report read_report(const std::filesystem::path &path);

} // namespace gpucert
