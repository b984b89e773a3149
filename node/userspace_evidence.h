// SPDX-License-Identifier: Apache-2.0
// What a node says of the driver above the kernel, beside the libraries that the loader finds.
#pragma once

#include "node/cdi_specification.h"
#include "node/container_view.h"
#include "node/fabric_manager.h"
#include "node/library_files.h"
#include "node/library_users.h"
#include "node/process_environment.h"
#include "node/sandbox_runtimes.h"
#include "node/system_image.h"

#include <string>
#include <vector>

namespace gpucert {

class host;
struct driver_library;

struct userspace_evidence {
  fact<process_environment> environment;
  fact<std::vector<library_file>> library_files; // in the loader's folders, linked or not
  fact<library_users> library_holders;
  fact<std::vector<cdi_specification>> cdi;
  fabric_manager fabric;
  container_view container;
  fact<std::vector<sandbox_runtime>> sandbox_runtimes;
  fact<system_image> image;
  fact<std::string> windows_nvidia_smi; // of the Windows that runs WSL2
};

/// `found`: the libraries that the loader knows.
userspace_evidence read_userspace_evidence(host &node, const fact<std::vector<driver_library>> &found, bool is_deep);

} // namespace gpucert
