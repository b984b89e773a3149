// SPDX-License-Identifier: Apache-2.0
// DKMS: which releases of the driver's sources it holds, and for which kernels it built and installed them.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

enum class dkms_state {
  added,          // the sources are known, nothing is built
  built,          // built and not installed
  installed,      // built, and copied to /lib/modules
  installed_weak, // another kernel's build serves by its kABI
  broken,         // DKMS cannot read its own entry
};

/// One line of `dkms status`.
struct dkms_entry {
  std::string module;                // nvidia, nvidia-srv, nvidia-current-open
  std::string version;               // 535.261.03, or srv-535.230.02
  std::optional<std::string> kernel; // absent for `added` and `broken`
  dkms_state state = dkms_state::added;
  bool differs = false;    // the installed file is not the built one
  bool is_missing = false; // the built modules are not in the kernel's folder
  std::string text;        // the line

  bool is_driver() const { return module.starts_with("nvidia") && module != "nvidia-fs" && module != "nvidia-peermem"; }
  std::optional<driver_release> release() const;
};

struct dkms_status {
  std::vector<dkms_entry> entries;
  /// DKMS' own complaint about its tree: "Could not locate dkms.conf file."
  std::optional<std::string> error;
  std::optional<std::string> missing_file; // that the complaint names
};

/// `dkms status` of all ages: "nvidia, 396.45, K, ARCH: installed (original_module exists)" before 3.0,
/// "nvidia/570.133.07, K, ARCH: installed" since, "m/v: added" without a kernel.
dkms_status parse_dkms_status(std::string_view text);

/// What the tree below /var/lib/dkms says, written as `dkms status` would. Starts no process.
fact<std::string> describe_dkms_tree(const host &node);

/// Absent: the node has no DKMS, or DKMS holds nothing, which is normal with prebuilt modules.
fact<dkms_status> read_dkms_status(host &node);

} // namespace gpucert
