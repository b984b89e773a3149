// SPDX-License-Identifier: Apache-2.0
#include "node/modules_on_disk.h"

#include "node/host.h"
#include "node/secure_boot.h"

namespace gpucert {

modules_on_disk read_modules_on_disk(host &node, const fact<std::string> &running,
                                     const fact<module_file> &running_module,
                                     const fact<std::vector<installed_package>> &packages) {
  modules_on_disk disk;
  disk.kernels = read_installed_kernels(node);
  disk.next = find_next_kernel(disk.kernels, packages, running);
  if (disk.next && running.is_known() && disk.next->release == *running)
    disk.next_module = running_module;
  else if (disk.next || node.kind() == host_kind::capture) // a capture may hold it and not the kernel's name
    disk.next_module = read_module_of_next_kernel(node, disk.next ? disk.next->release : "");
  const fact<std::string> image = node.read_document("commands/modinfo_nvidia_initramfs.txt");
  disk.in_initramfs = image.then(parse_modinfo, "names no version");
  std::vector<std::string> interesting;
  if (running.is_known())
    interesting.push_back(*running);
  if (disk.next)
    interesting.push_back(disk.next->release);
  disk.copies = read_module_copies(node, interesting);
  disk.dkms = read_dkms_status(node);
  disk.kernels_with_headers = read_kernels_with_headers(node);
  disk.builds = read_module_builds(node);
  disk.is_secure_boot = read_secure_boot(node);
  return disk;
}

} // namespace gpucert
