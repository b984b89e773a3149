// SPDX-License-Identifier: Apache-2.0
#include "node/loaded_modules.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view version_file = "/proc/driver/nvidia/version";

std::optional<kernel_module_version> parse_bare_version(std::string_view text) {
  if (auto release = driver_release::parse(trim(text)))
    return kernel_module_version{*std::move(release)};
  return std::nullopt;
}

} // namespace

std::optional<loaded_module> parse_loaded_module(std::string_view proc_version_text) {
  std::string_view line = take_line(proc_version_text);
  if (!line.starts_with("NVRM version:"))
    return std::nullopt;
  const auto flavour =
      line.find("Open Kernel Module") == line.npos ? module_flavour::proprietary : module_flavour::open;
  const bool is_tegra_build = line.find("(buildbrain@mobile") != line.npos;

  // The version follows "Kernel Module" in proprietary builds and "for <arch>" in open ones, so it is found by its
  // form. "Release Build" ends the search: dates behind it may be written with dots.
  for (std::string_view word = take_word(line); !word.empty() && word != "Build"; word = take_word(line))
    if (auto release = driver_release::parse(word))
      return loaded_module{{*std::move(release)}, flavour, is_tegra_build};
  return std::nullopt;
}

std::vector<std::string> parse_module_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view name = take_word(line);
    if (!name.empty() && name != "Module")
      names.emplace_back(name);
  }
  return names;
}

std::optional<bool> loaded_modules::has(std::string_view name) const {
  if (names.is_known())
    return std::find(names->begin(), names->end(), name) != names->end();
  if (names.is_absent()) // a kernel without modules
    return false;
  if (const auto version = versions.find(std::string(name)); version != versions.end() && version->second.is_known())
    return true;
  if (name == "nvidia" && nvidia.is_known())
    return true;
  return std::nullopt;
}

loaded_modules read_loaded_modules(host &node) {
  loaded_modules modules;
  modules.nvidia = node.read_file(version_file).then(parse_loaded_module, "has no driver version in its first line");

  fact<std::string> names = node.read_file("/proc/modules");
  if (names.is_unknown() && node.kind() == host_kind::capture)
    names = node.read_document("commands/lsmod.txt");
  modules.names =
      names.then([](const std::string &text) { return std::optional(parse_module_names(text)); }, "is not readable");

  const fact<std::vector<std::string>> folders = node.list_folder("/sys/module");
  if (folders.is_known())
    for (const std::string &name : *folders)
      if (name == "nvidia" || name.starts_with("nvidia_")) {
        const std::string path = "/sys/module/" + name + "/version";
        if (fact<std::string> text = node.read_file(path); !text.is_absent())
          modules.versions.emplace(name, text.then(parse_bare_version, "is no driver version"));
      }
  return modules;
}

} // namespace gpucert
