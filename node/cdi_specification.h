// SPDX-License-Identifier: Apache-2.0
// CDI specifications: the files that container engines inject for a GPU. They name libraries by driver version.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

struct cdi_specification {
  std::string path;                     // /etc/cdi/nvidia.yaml
  std::vector<std::string> host_paths;  // libraries, programs and device files of the host, each once
  std::vector<std::string> absent;      // those of them that the host does not have
  bool knows_absent = false;            // whether anybody looked
  std::vector<driver_release> releases; // in the names of libcuda and NVML
};

/// Takes YAML as nvidia-ctk and others write it, block style, one key a line; and JSON.
cdi_specification parse_cdi_specification(std::string_view path, std::string_view text);

/// Those for NVIDIA devices, in /etc/cdi and /var/run/cdi. An empty list: there are none.
fact<std::vector<cdi_specification>> read_cdi_specifications(host &node);

} // namespace gpucert
