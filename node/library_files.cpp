// SPDX-License-Identifier: Apache-2.0
#include "node/library_files.h"

#include "node/driver_libraries.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sys/stat.h>

namespace gpucert {
namespace {

bool is_driver_library(std::string_view name) {
  return name.starts_with("libcuda.so.") || name.starts_with("libnvidia-ml.so.");
}

fact<std::string> ask_for_files(host &node, const std::vector<std::string> &folders) {
  std::string text;
  for (const std::string &folder : folders) {
    const fact<std::vector<std::string>> names = node.list_folder(folder);
    if (!names.is_known())
      continue;
    for (const std::string &name : *names) {
      const std::string path = fmt::format("{}/{}", folder, name);
      if (!is_driver_library(name) || node.read_link(path))
        continue;
      struct stat about {};
      if (const auto place = node.place(path); place && ::stat(place->c_str(), &about) == 0)
        text += fmt::format("{} {}\n", about.st_size, path);
    }
  }
  return fact<std::string>::known(std::move(text), "library folders");
}

} // namespace

std::vector<library_file> parse_library_files(std::string_view text) {
  std::vector<library_file> files;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    library_file file;
    std::uint64_t size = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), size);
    if (error == std::errc{} && stop != line.data() + line.size() && is_blank(*stop)) {
      file.size_bytes = size;
      line = trim(line.substr(static_cast<std::size_t>(stop - line.data())));
    }
    if (!line.starts_with('/'))
      continue;
    file.path = line.substr(0, line.find(" -> "));
    file.release = parse_library_release(file.name());
    files.push_back(std::move(file));
  }
  return files;
}

fact<std::vector<library_file>> read_library_files(host &node, const std::vector<std::string> &folders) {
  const fact<std::string> list =
      node.read_document("commands/find_libraries.txt", [&] { return ask_for_files(node, folders); });
  if (list.is_absent())
    return fact<std::vector<library_file>>::known({}, list.source);
  return list.then([](const std::string &text) { return std::optional(parse_library_files(text)); }, "is not readable");
}

} // namespace gpucert
