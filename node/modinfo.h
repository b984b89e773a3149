// SPDX-License-Identifier: Apache-2.0
// The nvidia module on disk: what a boot into a kernel would load.
#pragma once

#include "node/driver_version.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// A module file as modinfo describes it.
struct module_file {
  on_disk_module_version version;
  std::optional<std::string> path;    // as on the node
  std::optional<std::string> license; // "NVIDIA" for the proprietary flavour, "Dual MIT/GPL" for the open one
  std::optional<std::string> kernel;  // first word of vermagic: the kernel release that it was built for
  std::optional<std::string> signer = std::nullopt;     // absent for a module that nobody signed
  std::optional<std::string> srcversion = std::nullopt; // of the build; absent in a bare version
};

/// Parses the output of `modinfo nvidia`, or the bare version that `modinfo -F version nvidia` prints. Only the key
/// "version" counts: srcversion and vermagic hold numbers too.
std::optional<module_file> parse_modinfo(std::string_view text);

/// True for modinfo's own word that the kernel has no such module.
bool says_module_not_found(std::string_view modinfo_text);

/// The nvidia module of the given kernel. Absent: that kernel has none. Live nodes and trees are read with libkmod,
/// without starting a process; where libkmod or its index is missing, modules.dep and the module itself are read.
fact<module_file> read_module_on_disk(host &node, const fact<std::string> &kernel_release);

/// The nvidia module of a kernel that is not running: the one of the next boot. Document
/// commands/modinfo_nvidia_next_kernel.txt.
fact<module_file> read_module_of_next_kernel(host &node, const std::string &kernel);

/// One module file at a path of the node, as modinfo would describe it.
fact<std::string> describe_module_file(host &node, const std::string &file);

/// The folder of a kernel's modules: below /lib/modules, or where NixOS keeps them.
std::string modules_folder_of(const host &node, const std::string &kernel);

/// The way without libkmod's index: the nvidia module of the kernel whose modules are in `folder`, found in
/// modules.dep, as modinfo would describe it. An empty text where modules.dep lists none.
fact<std::string> describe_module_from_files(host &node, const std::string &folder);

/// The text of an uncompressed module's .modinfo section: "key=value" entries, one a line. Nothing when `elf` is no
/// 64-bit little-endian ELF file with that section.
std::optional<std::string> parse_modinfo_section(std::string_view elf);

} // namespace gpucert
