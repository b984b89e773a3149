// SPDX-License-Identifier: Apache-2.0
// What a GPU program does around its cases: list them, take the device, say what it runs on, and run.
#pragma once

#include "harness/case_writer.h"
#include "harness/program_options.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// A program of chosen cases on one device.
struct device_run {
  std::string_view program;          // gpucert-bench
  std::string_view device_case;      // bench.device: the case that fails when the device cannot be used
  std::vector<std::string> case_ids; // that were chosen
  std::function<program_exit(case_writer &)> run_cases;
};

/// Prints the ids, or runs the cases with the options' settings in force. Throws when none was chosen.
program_exit run_on_device(const device_run &wanted, const program_options &options);

} // namespace gpucert
