// SPDX-License-Identifier: Apache-2.0
#include "node/module_blacklist.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <vector>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 4> modprobe_folders{"/etc/modprobe.d", "/run/modprobe.d", "/usr/lib/modprobe.d",
                                                           "/lib/modprobe.d"};
constexpr std::string_view other_driver = "nouveau";

bool names_nouveau(std::string_view list) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    if (trim(list.substr(0, comma)) == other_driver)
      return true;
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  }
  return false;
}

} // namespace

bool keeps_nouveau_away(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view command = take_word(line), module = take_word(line);
    if (module != other_driver)
      continue;
    if (command == "blacklist" || command == "install" || (command == "alias" && trim(line) == "off") ||
        (command == "options" && line.find("modeset=0") != line.npos))
      return true;
  }
  return false;
}

bool command_line_keeps_nouveau_away(std::string_view line) {
  line = line.substr(0, line.find('\n'));
  while (true) {
    const std::string_view word = take_word(line);
    if (word.empty())
      return false;
    if (word == "nomodeset" || word == "nouveau.modeset=0")
      return true;
    const auto equals = word.find('=');
    if (equals == word.npos || !word.substr(0, equals).ends_with("blacklist"))
      continue; // modprobe.blacklist, module_blacklist, rd.driver.blacklist, rdblacklist
    if (names_nouveau(word.substr(equals + 1)))
      return true;
  }
}

fact<bool> read_nouveau_blacklist(host &node) {
  std::string not_read, why;
  for (const std::string_view folder : modprobe_folders) {
    const fact<std::vector<std::string>> names = node.list_folder(folder);
    // A capture has the folders that were there; of the others one cannot know, and /etc is always there.
    if (names.is_unknown() && (node.kind() != host_kind::capture || folder == modprobe_folders.front()))
      not_read = names.source, why = *names.problem;
    if (!names.is_known())
      continue;
    for (const std::string &name : *names) {
      if (!name.ends_with(".conf"))
        continue;
      const fact<std::string> text = node.read_file(fmt::format("{}/{}", folder, name), std::size_t{1} << 20);
      if (text.is_unknown())
        not_read = text.source, why = *text.problem;
      if (text.is_known() && keeps_nouveau_away(*text))
        return fact<bool>::known(true, text.source);
    }
  }
  const fact<std::string> line = node.read_file("/proc/cmdline");
  if (line.is_known() && command_line_keeps_nouveau_away(*line))
    return fact<bool>::known(true, line.source);
  if (!line.is_known())
    not_read = line.source, why = line.problem.value_or("the node has none");
  if (!not_read.empty())
    return fact<bool>::unknown(not_read, why);
  return fact<bool>::known(false, "/etc/modprobe.d, /usr/lib/modprobe.d and /proc/cmdline");
}

} // namespace gpucert
