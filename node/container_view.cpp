// SPDX-License-Identifier: Apache-2.0
#include "node/container_view.h"

#include "node/driver_libraries.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <algorithm>
#include <charconv>

namespace gpucert {
namespace {

constexpr unsigned nvidia_major = 195; // assigned, in Documentation/admin-guide/devices.txt of Linux

/// "*" and what is no number are any.
std::optional<unsigned> number_or_any(std::string_view text) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

std::vector<device_rule> parse_device_rules(std::string_view text) {
  std::vector<device_rule> rules;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view kind = take_word(line), numbers = take_word(line), access = take_word(line);
    const auto colon = numbers.find(':');
    if (kind.size() != 1 || colon == numbers.npos || access.empty())
      continue;
    rules.push_back({kind.front(), number_or_any(numbers.substr(0, colon)), number_or_any(numbers.substr(colon + 1)),
                     std::string(access)});
  }
  return rules;
}

bool allows_gpu(const std::vector<device_rule> &rules) {
  return std::any_of(rules.begin(), rules.end(), [](const device_rule &rule) {
    return (rule.kind == 'a' || (rule.kind == 'c' && rule.major.value_or(nvidia_major) == nvidia_major)) &&
           rule.access.find('r') != std::string::npos && rule.access.find('w') != std::string::npos;
  });
}

std::vector<library_file> parse_ls(std::string_view text) {
  std::vector<library_file> files;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = line;
    const std::string_view mode = take_word(rest);
    if (mode.size() < 10 || mode.front() != '-')
      continue;      // a link, a folder, "total 0"
    take_word(rest); // links
    take_word(rest); // owner
    take_word(rest); // group
    const std::string_view size = take_word(rest);
    std::uint64_t bytes = 0;
    if (std::from_chars(size.data(), size.data() + size.size(), bytes).ec != std::errc{})
      continue;
    const auto name_start = line.find_last_of(" \t") + 1;
    library_file file{std::string(line.substr(name_start)), bytes, {}};
    file.release = parse_library_release(file.name());
    files.push_back(std::move(file));
  }
  return files;
}

container_view read_container_view(host &node) {
  container_view view;
  view.rules = node.read_document("commands/container_devices_list.txt")
                   .then([](const std::string &text) { return std::optional(parse_device_rules(text)); }, "unreadable");
  if (view.rules.is_absent()) // asked, and there was no rule
    view.rules = fact<std::vector<device_rule>>::known({}, view.rules.source);
  view.files = node.read_document("commands/container_ls_l.txt")
                   .then([](const std::string &text) { return std::optional(parse_ls(text)); }, "unreadable");
  return view;
}

} // namespace gpucert
