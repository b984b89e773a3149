// SPDX-License-Identifier: Apache-2.0
// What this build of the GPU programs can judge: a CUDA toolkit needs a driver of its own age or newer.
#pragma once

#include "certify/build_toolkit.h"

#include <string>

namespace gpucert {

/// "580 and newer": the oldest driver branch on which the toolkit of this build runs.
std::string judged_drivers();

} // namespace gpucert
