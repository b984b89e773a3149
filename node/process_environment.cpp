// SPDX-License-Identifier: Apache-2.0
#include "node/process_environment.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <unistd.h>

namespace gpucert {
namespace {

constexpr std::string_view document = "commands/env.txt";

fact<std::string> ask_for_environment(const host &node) {
  if (!node.is_live())
    return fact<std::string>::unknown("environment", "a tree has none");
  std::string text;
  for (char **entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    if (concerns_gpu_programs(line.substr(0, line.find('='))) && line.find('\n') == line.npos)
      text += fmt::format("{}\n", line);
  }
  return fact<std::string>::known(std::move(text), "environment");
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
  });
}

} // namespace

bool concerns_gpu_programs(std::string_view variable) {
  constexpr std::array<std::string_view, 5> prefixes{"CUDA_", "NVIDIA_", "COMPUTE_PROFILE", "LD_LIBRARY_PATH",
                                                     "LD_PRELOAD"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

std::optional<std::string> process_environment::get(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> process_environment::library_folders() const {
  std::vector<std::string> folders;
  const std::string path = get("LD_LIBRARY_PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0)
      folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

process_environment parse_environment(std::string_view text) {
  std::map<std::string, std::string, std::less<>> variables;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    for (const std::string_view word : {"export ", "ENV ", "declare -x "})
      if (line.starts_with(word))
        line = trim(line.substr(word.size()));
    const auto equals = line.find('=');
    if (equals == line.npos || !is_variable_name(line.substr(0, equals)) ||
        !concerns_gpu_programs(line.substr(0, equals)))
      continue;
    std::string_view value = trim(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    variables.insert_or_assign(std::string(line.substr(0, equals)), std::string(value));
  }
  return process_environment(std::move(variables));
}

fact<process_environment> read_process_environment(host &node) {
  const fact<std::string> text = node.read_document(document, [&] { return ask_for_environment(node); });
  if (text.is_absent()) // none of the variables is set
    return fact<process_environment>::known(process_environment(), text.source);
  return text.then([](const std::string &lines) { return std::optional(parse_environment(lines)); }, "is not readable");
}

} // namespace gpucert
