// SPDX-License-Identifier: Apache-2.0
// All that was read of one node. Checks judge this and nothing else.
#pragma once

#include "node/device_files.h"
#include "node/driver_libraries.h"
#include "node/gpu_state.h"
#include "node/gsp_firmware.h"
#include "node/kernel_log.h"
#include "node/loaded_modules.h"
#include "node/modinfo.h"
#include "node/module_blacklist.h"
#include "node/modules_on_disk.h"
#include "node/nvml_record.h"
#include "node/old_packages.h"
#include "node/package_database.h"
#include "node/package_history.h"
#include "node/pci_devices.h"
#include "node/pci_link.h"
#include "node/platform.h"
#include "node/reading.h"
#include "node/reported_message.h"
#include "node/run_installer.h"
#include "node/sessions.h"
#include "node/update_policy.h"
#include "node/userspace_evidence.h"

#include <string>
#include <vector>

namespace gpucert {

class host;

/// What a person or a tool saw on the node: a message, or the output of nvidia-smi.
struct symptom {
  std::string source; // "commands/nvidia_smi.txt"
  std::string text;
};

struct node_evidence {
  fact<std::string> kernel_release; // of the running kernel: 5.15.0-105-generic
  gpucert::platform platform;
  loaded_modules modules;
  fact<module_file> module_on_disk; // for the running kernel
  modules_on_disk on_disk;          // and what the next boot meets
  fact<std::vector<driver_library>> libraries;
  fact<std::vector<installed_package>> packages;
  fact<std::vector<package_transaction>> history;
  gpucert::old_packages old_packages; // what is left of earlier releases
  run_installer installer;            // traces of a driver that no package brought
  fact<bool> nouveau_is_blacklisted;
  gpucert::update_policy update_policy; // of automatic upgrades
  fact<session_history> sessions;       // boots and log-ins
  fact<kernel_log> log;
  gsp_firmware gsp;
  fact<std::vector<pci_gpu>> gpus;
  std::vector<pci_link> pci_links; // of those GPUs whose link the kernel tells of
  fact<std::vector<device_file>> device_files;
  fact<nvml_record> nvml;
  fact<std::vector<gpu_state>> gpu_states; // health and settings, from NVML and nvidia-smi -q
  userspace_evidence userspace;
  std::vector<std::string> hung_reads; // paths
  std::vector<symptom> symptoms;
  std::vector<reported_message> messages; // in the symptoms and the logs of services
};

struct evidence_depth {
  /// Also ask commands and NVML, which start processes and may be slow on a broken node.
  bool is_deep = false;
  /// The program that reads NVML and prints nvml.json; needed only on a live node.
  std::string nvml_program;
};

node_evidence read_evidence(host &node, const evidence_depth &depth);

} // namespace gpucert
