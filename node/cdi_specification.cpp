// SPDX-License-Identifier: Apache-2.0
#include "node/cdi_specification.h"

#include "node/driver_libraries.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::string_view absent_paths = "commands/cdi_absent_paths.txt";
constexpr std::size_t most_paths = 4096; // a node with 16 GPUs and all MIG devices has some hundred

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

void add_path(cdi_specification &specification, std::string_view path) {
  auto &paths = specification.host_paths;
  if (!path.starts_with('/') || paths.size() == most_paths ||
      std::find(paths.begin(), paths.end(), path) != paths.end())
    return;
  paths.emplace_back(path);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with("libcuda.so.") && !name.starts_with("libnvidia-ml.so."))
    return;
  auto &releases = specification.releases;
  if (const auto release = parse_library_release(name);
      release && std::find(releases.begin(), releases.end(), *release) == releases.end())
    releases.push_back(*release);
}

/// One entry of a list: a device, a mount or a hook. `hostPath` is of the host; without one, `path` is.
struct item {
  std::string_view path, host_path;

  void add_to(cdi_specification &specification) {
    add_path(specification, host_path.empty() ? path : host_path);
    *this = {};
  }
};

void read_yaml(std::string_view text, cdi_specification &specification) {
  item current;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    if (line.starts_with("- ")) {
      current.add_to(specification);
      line = trim(line.substr(2));
    }
    if (line.starts_with("path:"))
      current.path = unquoted(line.substr(std::string_view("path:").size()));
    else if (line.starts_with("hostPath:"))
      current.host_path = unquoted(line.substr(std::string_view("hostPath:").size()));
  }
  current.add_to(specification);
}

void read_json(const nlohmann::json &value, cdi_specification &specification, int depth = 0) {
  constexpr int deepest = 16; // the format has five levels
  if (depth > deepest)
    return;
  if (value.is_object()) {
    const auto text = [&](const char *key) {
      const auto found = value.find(key);
      return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string host_path = text("hostPath");
    add_path(specification, host_path.empty() ? text("path") : host_path);
  }
  if (value.is_structured())
    for (const auto &part : value)
      read_json(part, specification, depth + 1);
}

bool is_for_nvidia(std::string_view text) { return text.find("nvidia.com/") != text.npos; }

/// The paths of all specifications that lead nowhere, one a line.
fact<std::string> ask_for_absent(const host &node, const std::vector<cdi_specification> &list) {
  std::string lines;
  for (const cdi_specification &specification : list)
    for (const std::string &path : specification.host_paths)
      if (!node.exists(path))
        lines += fmt::format("{}\n", path);
  return fact<std::string>::known(std::move(lines), "host paths of the CDI specifications");
}

void mark_absent(std::vector<cdi_specification> &list, std::string_view lines) {
  std::vector<std::string_view> absent;
  while (!lines.empty())
    absent.push_back(trim(take_line(lines)));
  std::sort(absent.begin(), absent.end());
  for (cdi_specification &specification : list) {
    specification.knows_absent = true;
    for (const std::string &path : specification.host_paths)
      if (std::binary_search(absent.begin(), absent.end(), std::string_view(path)))
        specification.absent.push_back(path);
  }
}

} // namespace

cdi_specification parse_cdi_specification(std::string_view path, std::string_view text) {
  cdi_specification specification;
  specification.path = path;
  const nlohmann::json document =
      trim(text).starts_with('{') ? nlohmann::json::parse(text, nullptr, false) : nlohmann::json();
  if (document.is_object())
    read_json(document, specification);
  else
    read_yaml(text, specification);
  return specification;
}

fact<std::vector<cdi_specification>> read_cdi_specifications(host &node) {
  std::vector<cdi_specification> list;
  std::optional<std::string> problem;
  for (const std::string_view folder : {"/etc/cdi", "/var/run/cdi"}) {
    const fact<std::vector<std::string>> names = node.list_folder(folder);
    if (names.is_unknown() && node.kind() != host_kind::capture)
      problem = names.problem;
    if (!names.is_known())
      continue;
    for (const std::string &name : *names) {
      if (!name.ends_with(".yaml") && !name.ends_with(".yml") && !name.ends_with(".json"))
        continue;
      const std::string path = fmt::format("{}/{}", folder, name);
      if (const fact<std::string> text = node.read_file(path, std::size_t{8} << 20);
          text.is_known() && is_for_nvidia(*text))
        list.push_back(parse_cdi_specification(path, *text));
    }
  }
  if (list.empty() && problem)
    return fact<std::vector<cdi_specification>>::unknown("CDI specifications", *problem);
  if (!list.empty()) {
    const fact<std::string> absent = node.read_document(absent_paths, [&] { return ask_for_absent(node, list); });
    if (!absent.is_unknown())
      mark_absent(list, absent.value.value_or(""));
  }
  return fact<std::vector<cdi_specification>>::known(std::move(list), "CDI specifications");
}

} // namespace gpucert
