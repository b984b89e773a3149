// SPDX-License-Identifier: Apache-2.0
// Runs one of the GPU programs on one device, case after case. A crash or a hang costs one case: it is marked, and the
// rest goes on in a fresh process.
#pragma once

#include "harness/case_lines.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpucert {

/// What is known of a running program, for whoever watches.
struct case_progress {
  std::string running;                 // case, empty between two
  std::size_t ended = 0;               // of `expected`
  std::size_t expected = 0;            // 0 while it is not known
  std::chrono::milliseconds silent{0}; // since its last line
};

struct gpu_program_request {
  std::string name; // ready, conformance, bench
  std::filesystem::path program;
  std::vector<std::string> arguments;   // which device, level, scale, seed
  std::vector<std::string> environment; // of the process, in full
  bool can_list = true;                 // false: which cases there are, is known only by running them
  std::filesystem::path lines_file;     // case lines are kept there: the evidence of the run
  std::chrono::milliseconds case_deadline{60000};
  std::chrono::milliseconds start_deadline{30000}; // to the first line, and to the list of cases
  std::function<void(const case_progress &)> on_progress = {};
};

/// How one process of the program ended.
struct gpu_process {
  std::optional<run_event> run;
  std::string end; // "exited with 0"
  bool was_hung = false;
  std::string errors; // the last of its standard error
};

/// What one program did on one GPU.
struct program_record {
  std::string program;               // its name
  std::vector<std::string> expected; // ids that the program lists for this request
  std::vector<case_end> cases;       // of all processes, in order
  std::vector<gpu_process> processes;
  std::optional<std::string> problem; // why nothing could be run, in one line

  /// Every expected case ended, and there was at least one.
  bool is_complete() const;
  /// Expected, and neither passed, failed nor skipped.
  std::vector<std::string> missing() const;
};

/// After the third hang it is stopped: each costs a whole deadline. What has not run is missing() then.
program_record run_gpu_program(const gpu_program_request &request);

} // namespace gpucert
