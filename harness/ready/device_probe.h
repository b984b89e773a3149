// SPDX-License-Identifier: Apache-2.0
// One GPU in use: context, allocation, small kernel, copies, compare.
#pragma once

#include "harness/case_lines.h"

#include <cstdint>

namespace gpucert {

/// Uses the device once and compares every element of the result. `name` is the case's.
case_end run_device_probe(const std::string &name, int device, std::uint64_t seed);

} // namespace gpucert
