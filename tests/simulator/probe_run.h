// SPDX-License-Identifier: Apache-2.0
// Starts programs on the simulated libraries.
#pragma once

#include "node/command.h"

#include <string>
#include <vector>

namespace gpucert {

/// The environment of a simulated run: variables as "GPUCERT_SIMULATOR_FAULTS=..." are added.
inline command simulated(std::vector<std::string> arguments, std::vector<std::string> variables = {}) {
  command made;
  made.arguments = std::move(arguments);
  made.environment = std::move(variables);
  made.environment.push_back("LD_LIBRARY_PATH=" GPUCERT_SIMULATOR_FOLDER);
  made.environment.push_back("GPUCERT_SIMULATOR_TWIN=" GPUCERT_PROBE_TWIN);
  made.environment.push_back("PATH=/usr/bin:/bin");
  return made;
}

inline command probe(const std::string &action, std::vector<std::string> variables = {}) {
  return simulated({GPUCERT_PROBE, action}, std::move(variables));
}

inline command_result run_probe(const std::string &action, std::vector<std::string> variables = {}) {
  return run_command(probe(action, std::move(variables)));
}

} // namespace gpucert
