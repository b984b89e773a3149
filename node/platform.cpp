// SPDX-License-Identifier: Apache-2.0
#include "node/platform.h"

#include "node/host.h"
#include "node/text_lines.h"

namespace gpucert {
namespace {

std::string_view unquote(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

} // namespace

std::optional<std::string> parse_os_release(std::string_view text) {
  std::string name, version;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto equals = line.find('=');
    if (equals == line.npos)
      continue;
    const std::string_view key = line.substr(0, equals);
    if (key == "NAME")
      name = unquote(trim(line.substr(equals + 1)));
    else if (key == "VERSION_ID")
      version = unquote(trim(line.substr(equals + 1)));
  }
  if (name.empty())
    return std::nullopt;
  return version.empty() ? name : name + " " + version;
}

std::optional<driver_release> parse_jetson_linux(std::string_view text) {
  const std::string_view line = take_line(text);
  constexpr std::string_view major_mark = "# R", revision_mark = "REVISION: ";
  const auto revision = line.find(revision_mark);
  if (!line.starts_with(major_mark) || revision == line.npos)
    return std::nullopt;
  std::string_view major = line.substr(major_mark.size());
  major = major.substr(0, major.find(' '));
  std::string_view minor = line.substr(revision + revision_mark.size());
  minor = trim(minor.substr(0, minor.find(',')));
  return driver_release::parse(std::string(major) + "." + std::string(minor));
}

platform read_platform(host &node, const fact<std::string> &kernel_release, const loaded_modules &modules) {
  platform result;
  if (const fact<std::string> text = node.read_file("/etc/os-release"); text.is_known())
    result.distribution = parse_os_release(*text);
  // WSL2 kernels carry "microsoft" in their release: 5.15.153.1-microsoft-standard-WSL2.
  result.is_wsl2 = kernel_release.is_known() && contains_ignoring_case(*kernel_release, "microsoft");
  const fact<std::string> tegra = node.read_file("/etc/nv_tegra_release");
  result.jetson_linux = tegra.then([](const std::string &text) { return parse_jetson_linux(text); },
                                   "has no line like # R36 (release), REVISION: 4.3");
  result.is_jetson = tegra.is_known() || (modules.nvidia.is_known() && modules.nvidia->is_tegra_build);
  return result;
}

} // namespace gpucert
