// SPDX-License-Identifier: Apache-2.0
// What the next load of the driver's module meets on the disk: kernels, copies of the module, DKMS, Secure Boot.
#pragma once

#include "node/dkms.h"
#include "node/installed_kernels.h"
#include "node/kernel_headers.h"
#include "node/modinfo.h"
#include "node/module_builds.h"
#include "node/module_copies.h"

#include <optional>
#include <vector>

namespace gpucert {

class host;

struct modules_on_disk {
  installed_kernels kernels;
  std::optional<next_kernel> next; // nothing where nobody can tell which kernel a reboot starts
  fact<module_file> next_module;   // of that kernel; the running one's where it is the same
  fact<module_file> in_initramfs;
  fact<std::vector<module_copy>> copies;
  fact<dkms_status> dkms;
  fact<std::vector<std::string>> kernels_with_headers;
  std::vector<module_build> builds;
  fact<bool> is_secure_boot;
};

/// `running_module` is what read_module_on_disk gave.
modules_on_disk read_modules_on_disk(host &node, const fact<std::string> &running,
                                     const fact<module_file> &running_module,
                                     const fact<std::vector<installed_package>> &packages);

} // namespace gpucert
