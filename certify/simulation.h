// SPDX-License-Identifier: Apache-2.0
// The option --simulate: one of the three places outside simulator/ that know of it. It writes the simulated node as a
// capture and points the children at the simulator's libraries.
#pragma once

#include "node/host.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpucert {

/// What a simulated run needs.
struct simulated_run {
  std::filesystem::path capture;        // of the simulated node
  std::vector<std::string> environment; // for the GPU programs
};

/// Throws wrong_input unless PROFILE[,FAULT...] is known; writes nothing.
void require_known_simulation(const std::string &what);

/// Prepares PROFILE[,FAULT...] in `folder`. Throws wrong_input for an unknown profile or fault, or when this build has
/// no simulator.
simulated_run prepare_simulation(const std::string &what, const std::filesystem::path &folder);

} // namespace gpucert
