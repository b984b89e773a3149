// SPDX-License-Identifier: Apache-2.0
// What NVML answers on a simulated node, in the form of nvml.json ("gpucert-nvml-replay-1").
#pragma once

#include "simulator/simulation.h"

namespace gpucert::simulator {

nlohmann::json nvml_replay_of(const simulation &what);

} // namespace gpucert::simulator
