// SPDX-License-Identifier: Apache-2.0
// Which level runs a case. Cases are quick unless their file says otherwise:
//   const case_level slow{"conformance.memory_pattern.*", run_level::extended};
#pragma once

#include "harness/program_options.h"

#include <string>

namespace gpucert {

/// A static object of a NAME_test.cpp: the lowest level that runs the cases with ids of this pattern.
class case_level {
public:
  case_level(std::string pattern, run_level lowest);
};

/// The highest of the levels stated for this case.
run_level lowest_level_of(std::string_view case_id);

} // namespace gpucert
