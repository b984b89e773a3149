// SPDX-License-Identifier: Apache-2.0
#include "certify/simulation.h"

#include "certify/command_line.h"
#include "node/wrong_input.h"

#ifdef GPUCERT_HAS_SIMULATOR
#include "simulator/node/node_tree.h"
#include "simulator/simulation.h"
#endif

#include <fmt/format.h>

#include <ios>

namespace gpucert {

#ifdef GPUCERT_HAS_SIMULATOR

namespace {

/// The simulator's libraries and profiles: lib/simulator beside the bin/ that holds this program.
std::filesystem::path simulator_folder() {
  return std::filesystem::path(nvml_program_path()).parent_path().parent_path() / "lib" / "simulator";
}

/// "slow-memory:40" of "h200x8,slow-memory:40"; empty without faults.
std::string faults_of(const std::string &what) {
  const auto comma = what.find(',');
  return comma == what.npos ? "" : what.substr(comma + 1);
}

} // namespace

simulated_run prepare_simulation(const std::string &what, const std::filesystem::path &folder) {
  const std::filesystem::path libraries = simulator_folder();
  try {
    const simulator::simulation parsed = simulator::parse_simulation(libraries / "profiles", what);
    simulator::write_simulated_node(folder, parsed);
    const std::filesystem::path state = folder / "state"; // what outlives one process of the simulated driver
    std::filesystem::create_directories(state);
    return {folder,
            {fmt::format("LD_LIBRARY_PATH={}", libraries.string()),
             fmt::format("GPUCERT_SIMULATOR_PROFILE={}", (libraries / "profiles" / (parsed.gpu.id + ".json")).string()),
             fmt::format("GPUCERT_SIMULATOR_DEVICES={}", parsed.devices),
             fmt::format("GPUCERT_SIMULATOR_STATE={}", state.string()),
             fmt::format("GPUCERT_SIMULATOR_FAULTS={}", faults_of(what))}};
  } catch (const simulator::wrong_simulation &error) {
    throw wrong_input(fmt::format("--simulate {}: {}", what, error.what()), "see gpucert accept --help");
  } catch (const std::ios_base::failure &) {
    throw unreadable_input(fmt::format("{}: the simulated node cannot be written", folder.string()), "make room");
  } catch (const std::filesystem::filesystem_error &error) {
    throw unreadable_input(error.what(), "make room, or choose another place");
  }
}

void require_known_simulation(const std::string &what) {
  try {
    simulator::parse_simulation(simulator_folder() / "profiles", what);
  } catch (const simulator::wrong_simulation &error) {
    throw wrong_input(fmt::format("--simulate {}: {}", what, error.what()), "see gpucert accept --help");
  }
}

#else

void require_known_simulation(const std::string &what) {
  throw wrong_input("--simulate " + what + ": this build has no simulator", "build with a CUDA toolkit");
}

simulated_run prepare_simulation(const std::string &what, const std::filesystem::path &) {
  require_known_simulation(what);
  return {};
}

#endif

} // namespace gpucert
