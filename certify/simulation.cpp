// SPDX-License-Identifier: Apache-2.0
#include "certify/simulation.h"

#include "node/wrong_input.h"

#ifdef GPUCERT_HAS_SIMULATOR
#include "simulator/simulated_run.h"
#endif

namespace gpucert {

#ifdef GPUCERT_HAS_SIMULATOR
simulated_run prepare_simulation(const std::string &what, const std::filesystem::path &folder) {
  return {folder, simulator_environment(what)};
}
#else
simulated_run prepare_simulation(const std::string &what, const std::filesystem::path &) {
  throw wrong_input("--simulate " + what + ": this build has no simulator", "build with a CUDA toolkit");
}
#endif

} // namespace gpucert
