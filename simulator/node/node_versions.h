// SPDX-License-Identifier: Apache-2.0
// The versions on a simulated node, which one fault or another sets apart.
#pragma once

#include "simulator/simulation.h"

#include <optional>
#include <string>

namespace gpucert::simulator {

struct node_versions {
  std::string userspace;                    // libraries, packages, the module on disk
  std::optional<std::string> loaded_module; // absent: none is loaded
  int cuda_driver_version = 0;              // of libcuda
};

inline node_versions versions_of(const simulation &what) {
  node_versions versions{what.gpu.driver_version, what.gpu.driver_version, what.gpu.cuda_driver_version};
  if (what.faults.has(fault_name::driver_too_old))
    versions = {"535.261.03", "535.261.03", 12020};
  if (what.faults.has(fault_name::module_older))
    versions.loaded_module = "575.64.03"; // loaded before the packages were replaced
  if (what.faults.has(fault_name::no_module))
    versions.loaded_module.reset();
  return versions;
}

} // namespace gpucert::simulator
