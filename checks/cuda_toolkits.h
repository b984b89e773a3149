// SPDX-License-Identifier: Apache-2.0
// Which driver a CUDA toolkit needs, and which CUDA a driver offers.
#pragma once

#include "node/driver_version.h"

#include <optional>
#include <span>
#include <string_view>

namespace gpucert {

struct cuda_toolkit {
  int major, minor;
  std::string_view driver; // the oldest that supports it in full, on Linux x86_64
};

/// From the table "CUDA Toolkit and Corresponding Driver Versions" of NVIDIA's CUDA release notes, oldest first.
std::span<const cuda_toolkit> cuda_toolkits();

/// The newest toolkit whose needs the release fulfils; nothing for a driver older than all.
const cuda_toolkit *newest_toolkit_of(const driver_release &release);

/// The oldest driver that runs programs of this CUDA: within a major version from 11 on, programs run on the driver of
/// its first minor version ("minor version compatibility" in the same notes). `version` is "12.6"; nothing for others.
std::optional<driver_release> oldest_driver_for(std::string_view version);

} // namespace gpucert
