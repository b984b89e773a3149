// SPDX-License-Identifier: Apache-2.0
// The acceptance run: stack, ready, conformance, bench, verdicts; the report is stored after every stage.
#pragma once

#include "certify/report.h"
#include "certify/simulation.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpucert {

struct acceptance_options {
  run_level level = run_level::standard;
  std::string scale = "full";
  std::string seed; // empty: the programs' own fixed one
  std::filesystem::path output;
  std::string simulation; // of --simulate
  std::vector<std::string> passed_environment;
  std::optional<int> expected_gpus;
  bool is_forced = false;
  bool is_strict = false;
  bool only_ready = false; // the readiness probe; the stack is judged only when a GPU is not ready
  std::chrono::seconds wait_for_fabric{0};
  std::chrono::seconds case_deadline{60};
};

/// Runs all stages. Throws wrong_input for an unknown simulation or a variable that is not set, unreadable_input when
/// the report cannot be stored; a bad node is in the report.
report run_acceptance(const acceptance_options &options);

} // namespace gpucert
