// SPDX-License-Identifier: Apache-2.0
#include "node/userspace_evidence.h"

#include "node/driver_libraries.h"
#include "node/host.h"

#include <algorithm>

namespace gpucert {
namespace {

/// Where the loader looks: the folders of the libraries in its cache, and those of LD_LIBRARY_PATH.
std::vector<std::string> folders_to_look_into(const fact<std::vector<driver_library>> &found,
                                              const fact<process_environment> &environment) {
  std::vector<std::string> folders;
  const auto add = [&](std::string folder) {
    if (folder.starts_with('/') && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(std::move(folder));
  };
  if (found.is_known())
    for (const driver_library &library : *found)
      add(library.path.substr(0, library.path.rfind('/')));
  if (environment.is_known())
    for (const std::string &folder : environment->library_folders())
      add(folder);
  return folders;
}

} // namespace

userspace_evidence read_userspace_evidence(host &node, const fact<std::vector<driver_library>> &found, bool is_deep) {
  userspace_evidence evidence;
  evidence.environment = read_process_environment(node);
  evidence.library_files = read_library_files(node, folders_to_look_into(found, evidence.environment));
  evidence.library_holders = read_library_users(node);
  evidence.cdi = read_cdi_specifications(node);
  evidence.fabric = read_fabric_manager(node, is_deep);
  evidence.container = read_container_view(node);
  evidence.sandbox_runtimes = read_sandbox_runtimes(node);
  evidence.image = read_system_image(node);
  evidence.windows_nvidia_smi = node.read_document("commands/windows_nvidia_smi.txt");
  return evidence;
}

} // namespace gpucert
