// SPDX-License-Identifier: Apache-2.0
// Messages that people see and paste: of CUDA programs, NVML, nvidia-smi, container runtimes, Fabric Manager, the
// dynamic loader, modprobe and GL. Their words name a topic, and sometimes versions; what follows is for checks to say.
#pragma once

#include "node/driver_version.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

enum class message_topic {
  version_mismatch,        // driver and library are of different releases
  tools_differ,            // nvidia-smi found an NVML of another release than its own
  no_communication,        // nvidia-smi found no usable driver
  driver_not_loaded,       // NVML says that no module is loaded
  no_devices,              // the driver offers no GPU
  nvml_unknown_error,      // NVML 999: in containers, device rules that were lost
  blocked_by_system,       // NVML 17: WSL2
  gpu_lost,                // NVML 15
  gpu_needs_reset,         // NVML 16
  host_library_missing,    // a program of the host, such as the container hook, does not find NVML
  library_missing,         // some program does not find libcuda or NVML
  tool_missing,            // nvidia-smi is not in the container
  runtime_not_configured,  // the container engine knows no NVIDIA runtime
  library_empty,           // a driver library of no size, or one that is in the way of a mount
  cdi_unresolvable,        // a CDI specification is missing, or does not name the device
  cdi_path_missing,        // it names a file that is not there
  device_file_missing,     // /dev/nvidia*
  unified_memory_missing,  // /dev/nvidia-uvm
  stub_library,            // CUDA 34
  driver_too_old,          // CUDA 35, 36, 222, and requirements of images
  no_driver_found,         // PyTorch: 35 with no driver at all
  no_cuda_device,          // CUDA 100, 38 before CUDA 10.1
  invalid_device,          // CUDA 101: an index that this process does not have
  unknown_cuda_error,      // CUDA 999, 30 before CUDA 10.1
  fabric_not_ready,        // CUDA 802
  driver_combination,      // CUDA 803
  compat_unsupported,      // CUDA 804
  uncorrectable_ecc,       // CUDA 214
  nvlink_error,            // CUDA 220
  fabric_version_mismatch, // Fabric Manager and module
  fabric_nothing_to_do,    // Fabric Manager without NVSwitch
  gl_failed,               // GLX, EGL or Vulkan did not start
  vgpu_incompatible,       // host and guest driver of a vGPU
  module_not_found,        // modprobe
  module_key_rejected,     // modprobe under Secure Boot
  module_wrong_format,     // modprobe: built for another kernel
  module_build_failed,     // DKMS
  headers_missing,         // DKMS
};

/// A name for a person and for JSON: "version_mismatch".
std::string_view to_string(message_topic topic);

struct reported_message {
  message_topic topic{};
  std::string source; // "symptoms/cuda_error.txt"
  std::string text;   // the line, cut where it is long
  // What the message states, where it does.
  std::optional<driver_release> library; // of the user-space side: NVML, libcuda, Fabric Manager
  std::optional<driver_release> module;
  std::optional<std::string> needs_cuda; // "12.6": what the program or image needs
};

/// True where `text` speaks for a container: its source is one, or it is of a container engine.
bool is_from_container(const reported_message &message);

/// Adds the messages in `text`, each topic once a line and at most eight times a source. Takes any bytes; time is
/// linear in the length of the text, and long lines are looked at in their first 64 KiB.
void find_reported_messages(std::string_view source, std::string_view text, std::vector<reported_message> &found);

const reported_message *find_message(const std::vector<reported_message> &messages, message_topic topic);

} // namespace gpucert
