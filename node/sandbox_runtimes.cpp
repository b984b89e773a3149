// SPDX-License-Identifier: Apache-2.0
#include "node/sandbox_runtimes.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::string_view runtime_folder = "/var/lib/flatpak/runtime";
constexpr std::array<std::string_view, 2> prefixes{"org.freedesktop.Platform.GL.nvidia-",
                                                   "org.freedesktop.Platform.GL32.nvidia-"};

fact<std::string> ask_for_runtimes(host &node) {
  const fact<std::vector<std::string>> names = node.list_folder(runtime_folder);
  if (names.is_unknown())
    return fact<std::string>::unknown(names.source, *names.problem);
  std::string text;
  if (names.is_known())
    for (const std::string &name : *names)
      text += fmt::format("{}\n", name);
  return fact<std::string>::known(std::move(text), std::string(runtime_folder));
}

} // namespace

std::vector<sandbox_runtime> parse_sandbox_runtimes(std::string_view text) {
  std::vector<sandbox_runtime> runtimes;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    for (const std::string_view prefix : prefixes) {
      const auto at = line.find(prefix);
      if (at == line.npos)
        continue;
      const std::string_view rest = line.substr(at);
      const std::string_view name = rest.substr(0, std::min(rest.find_first_of(" \t/"), rest.size()));
      std::string numbers(name.substr(prefix.size())); // dots are written as dashes
      std::replace(numbers.begin(), numbers.end(), '-', '.');
      if (const auto release = driver_release::parse(numbers))
        runtimes.push_back({std::string(name), *release});
    }
  }
  return runtimes;
}

fact<std::vector<sandbox_runtime>> read_sandbox_runtimes(host &node) {
  using list = fact<std::vector<sandbox_runtime>>;
  const fact<std::string> text =
      node.read_document("commands/flatpak_list.txt", [&] { return ask_for_runtimes(node); });
  if (text.is_absent())
    return list::known({}, text.source);
  return text.then([](const std::string &lines) { return std::optional(parse_sandbox_runtimes(lines)); },
                   "is not readable");
}

} // namespace gpucert
