// SPDX-License-Identifier: Apache-2.0
// What a node says about the nvidia module of one kernel on disk, by whichever witness says it.
#pragma once

#include "checks/version_claims.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

struct module_claim {
  bool exists = false;
  std::optional<driver_release> release;
  std::string source;
  std::string text;
};

/// The running kernel: osrelease, else the kernel that modprobe named in its complaint.
std::optional<std::string> running_kernel(const node_evidence &node);

/// Looked into first (modinfo), then listed (find), then DKMS and packages that name the kernel. Nothing where nobody
/// says anything of this kernel.
std::optional<module_claim> claim_of_module_for(const node_evidence &node, const std::string &kernel);

/// True when packages build the module on the node: DKMS or akmods.
bool builds_modules(const node_evidence &node);

/// modprobe's "Module nvidia not found in directory /lib/modules/K".
std::optional<symptom> reported_missing_module(const node_evidence &node);

} // namespace gpucert
