// SPDX-License-Identifier: Apache-2.0
#include "node/gsp_firmware.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::string_view firmware_folder = "/lib/firmware/nvidia";
// What the kernel also searches, first (drivers/base/firmware_loader/main.c).
constexpr std::string_view custom_path = "/sys/module/firmware_class/parameters/path";
constexpr std::string_view updates_folder = "/lib/firmware/updates/nvidia";
constexpr std::array<std::string_view, 3> modprobe_folders{"/etc/modprobe.d", "/usr/lib/modprobe.d", "/run/modprobe.d"};

bool starts_with_digit(std::string_view text) { return !text.empty() && text.front() >= '0' && text.front() <= '9'; }

/// The folders of releases as a list of paths, as a capture stores it.
fact<std::string> ask_for_list(host &node) {
  const fact<std::vector<std::string>> folders = node.list_folder(firmware_folder);
  if (!folders.is_known())
    return {std::nullopt, folders.source, folders.problem};
  std::string text;
  for (const std::string &release : *folders) {
    if (!starts_with_digit(release)) // the others are firmware for nouveau: ga102, tu116
      continue;
    const fact<std::vector<std::string>> files = node.list_folder(fmt::format("{}/{}", firmware_folder, release));
    for (const std::string &file : files.value.value_or(std::vector<std::string>()))
      text += fmt::format("{}/{}/{}\n", firmware_folder, release, file);
  }
  return fact<std::string>::known(std::move(text), std::string(firmware_folder));
}

fact<std::vector<std::string>> read_releases(host &node) {
  using releases = fact<std::vector<std::string>>;
  if (const auto custom = node.read_file(custom_path); custom.is_known() && !trim(*custom).empty())
    return releases::unknown(std::string(custom_path), "firmware is searched in another folder first");
  if (const auto updates = node.list_folder(updates_folder); updates.is_known() && !updates->empty())
    return releases::unknown(std::string(updates_folder), "firmware is searched there first");
  const auto list = node.read_document("root/lib/firmware.list", [&] { return ask_for_list(node); });
  return list.then([](const std::string &text) { return std::optional(parse_firmware_list(text)); }, "is not readable");
}

void add_settings(const fact<std::string> &text, std::vector<module_setting> &settings) {
  if (text.is_known())
    for (std::string &line : parse_firmware_switched_off(*text))
      settings.push_back({text.source, std::move(line)});
}

} // namespace

std::vector<std::string> parse_firmware_list(std::string_view text) {
  constexpr std::string_view folder = "nvidia/", image = "gsp";
  std::vector<std::string> releases;
  while (!text.empty()) {
    const std::string_view path = trim(take_line(text));
    const auto at = path.rfind(folder);
    if (at == path.npos)
      continue;
    const std::string_view rest = path.substr(at + folder.size());
    const auto slash = rest.find('/');
    if (slash == rest.npos || !starts_with_digit(rest) || !rest.substr(slash + 1).starts_with(image))
      continue;
    releases.emplace_back(rest.substr(0, slash));
  }
  std::sort(releases.begin(), releases.end());
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  return releases;
}

std::vector<std::string> parse_firmware_switched_off(std::string_view text) {
  constexpr std::string_view name = "EnableGpuFirmware";
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    const auto at = line.find(name);
    if (line.starts_with('#') || at == line.npos)
      continue;
    std::string_view value = line.substr(at + name.size()); // not of "EnableGpuFirmwareLogs"
    if (!value.starts_with(':') && !value.starts_with('='))
      continue;
    value = trim(value.substr(1));
    const std::size_t size = std::min(value.find_first_of(" \t;\""), value.size());
    if (value.substr(0, size) == "0" || value.substr(0, size) == "0x0")
      lines.emplace_back(line);
  }
  return lines;
}

gsp_firmware read_gsp_firmware(host &node) {
  gsp_firmware firmware;
  firmware.releases = read_releases(node);
  add_settings(node.read_file("/proc/driver/nvidia/params"), firmware.switched_off);
  add_settings(node.read_file("/proc/cmdline"), firmware.switched_off);
  for (const std::string_view folder : modprobe_folders)
    if (const auto names = node.list_folder(folder); names.is_known())
      for (const std::string &file : *names)
        if (file.ends_with(".conf")) // modprobe reads no others
          add_settings(node.read_file(fmt::format("{}/{}", folder, file)), firmware.switched_off);
  return firmware;
}

} // namespace gpucert
