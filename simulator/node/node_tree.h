// SPDX-License-Identifier: Apache-2.0
// The files of a simulated node, as a capture that `gpucert check --root` judges.
#pragma once

#include "simulator/simulation.h"

#include <filesystem>

namespace gpucert::simulator {

/// Writes root/, commands/ and nvml.json into `folder`, which is created. Throws std::filesystem::filesystem_error, or
/// std::ios_base::failure when a file cannot be written.
void write_simulated_node(const std::filesystem::path &folder, const simulation &what);

} // namespace gpucert::simulator
