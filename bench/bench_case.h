// SPDX-License-Identifier: Apache-2.0
// The cases of gpucert-bench. A file NAME_bench.cpp registers its own; no list names them.
#pragma once

#include "harness/case_lines.h"
#include "harness/program_options.h"

#include <functional>
#include <string>
#include <vector>

namespace gpucert {

/// What a case gives: an outcome, with its reason or its metrics. The name and the seconds are filled in by the
/// program.
using bench_result = case_end;

struct bench_case {
  std::string id;  // "bench.stream.triad_f32"
  run_level level; // the lowest that runs it
  std::function<bench_result()> run;
};

/// A static object of a NAME_bench.cpp: adds its cases before main.
class bench_registration {
public:
  explicit bench_registration(std::vector<bench_case> cases);
};

/// All, sorted by id. Throws std::logic_error when two have the same.
std::vector<bench_case> registered_bench_cases();

bench_result passed(std::vector<metric> metrics);
/// Not applicable on this GPU.
bench_result skipped(std::string reason);

} // namespace gpucert
