// SPDX-License-Identifier: Apache-2.0
// The texts of a simulated node: an Ubuntu 22.04 server with NVIDIA's open kernel modules by DKMS, as in the captures.
#pragma once

#include "simulator/simulation.h"

#include <map>
#include <string>

namespace gpucert::simulator {

/// By path in the capture: root/proc/modules, commands/dmesg.txt.
std::map<std::string, std::string> node_files_of(const simulation &what);

} // namespace gpucert::simulator
