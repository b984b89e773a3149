// SPDX-License-Identifier: Apache-2.0
// What an acceptance run did and measured, as plain data. Verdicts are drawn from it in verdict.h.
#pragma once

#include "certify/gpu_program.h"
#include "harness/case_lines.h"
#include "harness/run_level.h"

#include <optional>
#include <string>
#include <vector>

namespace gpucert {

/// A part of the run. One that is `running` in a stored report was cut off there.
enum class stage_state { pending, running, done, left_out };
std::string_view name_of(stage_state state);
std::optional<stage_state> parse_stage_state(std::string_view word);

struct stage_record {
  std::string name; // stack, ready, conformance, bench
  stage_state state = stage_state::pending;
  double seconds = 0;
  std::string note; // why it was left out
};

struct gpu_record {
  int index = 0;
  std::optional<device_identity> identity;
  std::vector<program_record> programs;
};

struct acceptance_record {
  run_level level = run_level::standard;
  std::string scale = "full";
  std::string simulation;                      // PROFILE[,FAULT...] of --simulate; empty on a real node
  std::vector<std::string> passed_environment; // names of --pass-environment
  std::string judged_drivers;                  // what this build can judge: "580 and newer"
  int build_cuda_version = 0;                  // of the toolkit: 13000
  bool is_forced = false;                      // --force: run beside foreign processes
  std::vector<std::string> foreign_processes;  // what pre-flight found on the GPUs
  std::optional<int> expected_gpus;
  std::vector<stage_record> stages;
  std::vector<gpu_record> gpus;
};

/// Every run event of every process.
std::vector<run_event> run_events(const acceptance_record &record);

/// Asked for with --simulate, or a library of the simulator was mapped by any process: what was loaded decides,
/// whatever the options say, and a run that was stopped before it loaded anything is simulated as well.
bool is_simulated(const acceptance_record &record);

} // namespace gpucert
