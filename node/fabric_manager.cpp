// SPDX-License-Identifier: Apache-2.0
#include "node/fabric_manager.h"

#include "node/command.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::string_view unit_name = "nvidia-fabricmanager.service";
constexpr std::string_view devices_folder = "/sys/bus/pci/devices";

/// "Active: failed (Result: exit-code) since ..." and "ActiveState=failed".
std::string_view word_behind(std::string_view line, std::string_view label) {
  const auto at = line.find(label);
  if (at == line.npos)
    return {};
  std::string_view rest = line.substr(at + label.size());
  return take_word(rest);
}

fact<std::string> ask_systemd(host &node) {
  const command_result result =
      run_command({{"systemctl", "show", "-p", "LoadState,ActiveState,SubState,UnitFileState", std::string(unit_name)},
                   {},
                   std::min(std::chrono::milliseconds{2000}, node.time_left())});
  if (!result.succeeded())
    return fact<std::string>::unknown("systemctl", "systemctl " + result.how_it_ended());
  return fact<std::string>::known(result.output, "systemctl show " + std::string(unit_name));
}

/// A running unit has a control group, an idle one has none. Without any folder of system.slice nobody knows: not
/// systemd, or a container.
fact<std::string> look_at_control_groups(const host &node) {
  for (const std::string_view slice : {"/sys/fs/cgroup/system.slice", "/sys/fs/cgroup/systemd/system.slice"}) {
    const std::string group = fmt::format("{}/{}", slice, unit_name);
    if (node.exists(group))
      return fact<std::string>::known("ActiveState=active\n", group);
    // journald's group shows that this is the slice of the machine.
    if (node.exists(fmt::format("{}/systemd-journald.service", slice)))
      return fact<std::string>::known("ActiveState=inactive\n", group);
  }
  return fact<std::string>::unknown(std::string(unit_name), "no control groups of systemd");
}

/// NVSwitch: class "bridge, other" (0x0680) of NVIDIA.
fact<std::vector<std::string>> read_switches(host &node) {
  using addresses = fact<std::vector<std::string>>;
  const addresses names = node.list_folder(devices_folder);
  std::vector<std::string> switches;
  if (names.is_known()) {
    for (const std::string &address : *names) {
      const std::string folder = fmt::format("{}/{}", devices_folder, address);
      const fact<std::string> vendor = node.peek_file(folder + "/vendor");
      if (!vendor.is_known() || trim(*vendor) != "0x10de")
        continue;
      const fact<std::string> kind = node.read_file(folder + "/class");
      if (kind.is_known() && trim(*kind).starts_with("0x0680"))
        switches.push_back(address);
    }
    return addresses::known(std::move(switches), std::string(devices_folder));
  }
  if (node.kind() != host_kind::capture)
    return names.is_absent() ? addresses::known({}, std::string(devices_folder)) : names;
  fact<std::string> list = node.read_document("commands/lspci_nnk.txt");
  if (!list.is_known())
    return addresses::unknown(list.source, "not in the capture");
  for (std::string_view rest = *list; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (line.find("[0680]") != line.npos && line.find("NVIDIA") != line.npos)
      switches.emplace_back(take_word(line));
  }
  return addresses::known(std::move(switches), list.source);
}

} // namespace

std::optional<unit_state> parse_unit_state(std::string_view text) {
  unit_state state;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (line.find("could not be found") != line.npos || word_behind(line, "LoadState=") == "not-found" ||
        word_behind(line, "Loaded: ") == "not-found") {
      state.is_installed = false;
      state.text = line;
    }
    for (const std::string_view label : {"ActiveState=", "Active: "})
      if (const std::string_view word = word_behind(line, label); !word.empty() && state.active.empty()) {
        state.active = word;
        state.is_restarting = line.find("auto-restart") != line.npos;
        if (state.text.empty())
          state.text = line;
      }
  }
  return state.active.empty() && state.is_installed ? std::nullopt : std::optional(state);
}

fabric_manager read_fabric_manager(host &node, bool is_deep) {
  const fact<std::string> status = node.read_document("commands/systemctl_status_fabricmanager.txt", [&] {
    if (!node.is_live())
      return fact<std::string>::unknown("systemctl", "a tree cannot be asked");
    return is_deep ? ask_systemd(node) : look_at_control_groups(node);
  });
  fabric_manager fabric;
  fabric.switches = read_switches(node);
  fabric.unit = status.then([](const std::string &text) { return parse_unit_state(text); }, "says no state");
  return fabric;
}

} // namespace gpucert
