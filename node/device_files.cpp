// SPDX-License-Identifier: Apache-2.0
#include "node/device_files.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace gpucert {
namespace {

std::optional<unsigned> parse_number(std::string_view text, int base) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{} || stop != text.data() + text.size())
    return std::nullopt;
  return number;
}

fact<std::string> ask_for_device_files(host &node) {
  const fact<std::vector<std::string>> names = node.list_folder("/dev");
  if (!names.is_known())
    return names.is_absent() ? fact<std::string>::absent("/dev") : fact<std::string>::unknown("/dev", *names.problem);
  std::vector<device_file> files;
  for (const std::string &name : *names) {
    if (!name.starts_with("nvidia") && name != "dxg")
      continue;
    device_file file{"/dev/" + name, {}, {}, {}};
    struct stat about {};
    const auto place = node.place(file.path);
    if (!place || ::stat(place->c_str(), &about) != 0 || S_ISDIR(about.st_mode))
      continue; // nvidia-caps is a folder; a dangling link is no device
    if (S_ISCHR(about.st_mode)) {
      file.major = major(about.st_rdev);
      file.minor = minor(about.st_rdev);
    }
    file.mode = about.st_mode & 07777U;
    files.push_back(std::move(file));
  }
  return fact<std::string>::known(format_device_list(files), "/dev");
}

} // namespace

std::vector<device_file> parse_device_list(std::string_view text) {
  std::vector<device_file> files;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    device_file file;
    file.path = take_word(line);
    if (!file.path.starts_with("/dev/"))
      continue;
    if (take_word(line) == "c") {
      const std::string_view numbers = take_word(line);
      const auto colon = std::min(numbers.find(':'), numbers.size());
      file.major = parse_number(numbers.substr(0, colon), 10);
      file.minor = parse_number(numbers.substr(std::min(colon + 1, numbers.size())), 10);
      file.mode = parse_number(take_word(line), 8);
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::string format_device_list(const std::vector<device_file> &files) {
  std::string text;
  for (const device_file &file : files)
    text += file.major && file.minor
                ? fmt::format("{} c {}:{} {:04o}\n", file.path, *file.major, *file.minor, file.mode.value_or(0))
                : fmt::format("{}\n", file.path);
  return text;
}

fact<std::vector<device_file>> read_device_files(host &node) {
  const fact<std::string> list = node.read_document("root/dev.list", [&] { return ask_for_device_files(node); });
  if (list.is_absent())
    return fact<std::vector<device_file>>::known({}, list.source);
  return list.then([](const std::string &text) { return std::optional(parse_device_list(text)); }, "is not readable");
}

bool has_device_file(const std::vector<device_file> &files, std::string_view path) {
  return std::any_of(files.begin(), files.end(), [&](const device_file &file) { return file.path == path; });
}

} // namespace gpucert
