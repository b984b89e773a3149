// SPDX-License-Identifier: Apache-2.0
// NVIDIA devices on PCI, as the kernel lists them: the only witness that does not need the driver.
#pragma once

#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// A GPU: vendor 0x10de, class display (0x0300) or 3D controller (0x0302). Its audio and USB functions are none.
struct pci_gpu {
  std::string address;                  // 0000:3b:00.0
  std::optional<std::string> device_id; // "0x20b5"
  fact<std::string> bound_driver;       // "nvidia", "nouveau", "vfio-pci"; absent when no driver holds it
};

/// All NVIDIA GPUs by sysfs, else by a capture's lspci. An empty list means that PCI has none.
fact<std::vector<pci_gpu>> read_pci_gpus(host &node);

/// Parses `lspci -nnk`, for all devices or for NVIDIA's (-d 10de:).
std::vector<pci_gpu> parse_lspci(std::string_view text);

/// Drivers that hold a GPU on behalf of a virtual machine: a choice, not a fault.
bool is_passthrough_driver(std::string_view driver);

/// True when a virtual machine was given this GPU: the driver and NVML of this node do not see it.
bool is_passed_through(const pci_gpu &gpu);

} // namespace gpucert
