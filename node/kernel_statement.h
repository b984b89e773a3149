// SPDX-License-Identifier: Apache-2.0
// What the kernel says of the GPUs, their driver and what surrounds them, by topic.
#pragma once

#include "node/driver_version.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

enum class kernel_topic {
  module_loaded,              // "NVRM: loading NVIDIA UNIX ...": once per load
  module_signature_rejected,  // the kernel refused a module for its signature
  module_signature_untrusted, // a signature of no trusted key: a refusal only where signatures are enforced
  module_vermagic,            // built for another kernel, by version magic or symbol versions
  module_unknown_symbol,      // an nvidia module needs a symbol that nothing exports
  submodule_version_mismatch, // nvidia-modeset, nvidia-drm or nvidia-nvswitch of another release
  gpu_unsupported_by_open,    // the open flavour cannot drive this GPU
  gpu_needs_open,             // the proprietary flavour cannot drive this GPU
  gpu_unsupported_by_release, // this release cannot drive this GPU
  gsp_firmware_mismatch,      // firmware file of another release than the module
  gsp_firmware_load_failed,   // firmware file absent or unreadable
  gsp_bad_state,              // memory of an earlier run is still protected
  gpu_firmware_boot_failed,   // the GPU's own boot firmware did not finish
  rm_init_failed,             // start of a GPU failed; the numbers are the build's own
  probe_failed,               // the module took a device and gave it up again
  no_device_initialised,      // the module drives no GPU at all
  pci_region_invalid,         // the firmware of the machine gave the GPU no address range
  fell_off_bus,               // said outside an Xid
  aux_power_missing,          // power cables
  inforom_problem,            // board data
  nouveau,                    // anything of that driver
  out_of_memory_killer,       // of the host's memory
  pcie_error_corrected,       // AER
  pcie_error_uncorrected,     // AER, fatal or not
  thermal,                    // the kernel's own alarms of heat
  lockdown,                   // the kernel is locked down
  secure_boot_enabled,
};

std::string_view to_string(kernel_topic topic);

struct kernel_statement {
  kernel_topic topic{};
  std::optional<std::string> address;       // 0000:01:00.0, where it names a device
  std::optional<double> seconds_since_boot; // of the first such statement
  std::string wall_time;                    // of the first such statement, as written; empty where the log has none
  std::string text;                         // of the first; statements over several lines are joined
  int count = 1;                            // statements of the same topic, device and wording (numbers aside)
};

/// True when the lines of NVRM that follow may belong to this one: "The NVIDIA GPU 0000:b3:00.0" (PCI ID ...).
bool spans_lines(std::string_view message);

/// What a message without prefix says, if it is one of the above. Linear in its length.
std::optional<kernel_statement> parse_kernel_statement(std::string_view message);

/// The first release in the text: "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15  Fri ...".
std::optional<driver_release> release_in(std::string_view text);

} // namespace gpucert
