// SPDX-License-Identifier: Apache-2.0
// Whether a reboot now would bring a coherent stack.
#pragma once

#include <optional>
#include <string>

namespace gpucert {

struct node_evidence;

struct next_boot {
  /// Nothing: nobody can tell.
  std::optional<bool> is_coherent;
  std::optional<std::string> kernel;
  std::optional<std::string> module_release;
  std::optional<std::string> library_release;
  std::string because;
};

/// Pure. The initramfs counts only where something is known of it.
next_boot foresee_next_boot(const node_evidence &node);

/// "A reboot now loads: kernel K, module M, libraries L: coherent."
std::string in_one_line(const next_boot &boot);

} // namespace gpucert
