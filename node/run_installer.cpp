// SPDX-License-Identifier: Apache-2.0
#include "node/run_installer.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <cstddef>

namespace gpucert {
namespace {

constexpr std::string_view log_path = "/var/log/nvidia-installer.log";
constexpr std::string_view uninstaller_path = "/usr/bin/nvidia-uninstall";
constexpr std::size_t most_log_bytes = std::size_t{4} << 20; // the output of the compiler is in it

/// The path alone: the program itself is nothing for a capture.
fact<std::string> read_uninstaller(host &node) {
  const auto look = [&] {
    return node.exists(uninstaller_path)
               ? fact<std::string>::known(std::string(uninstaller_path), std::string(uninstaller_path))
               : fact<std::string>::absent(std::string(uninstaller_path));
  };
  if (node.kind() == host_kind::capture && node.exists(uninstaller_path))
    return look();
  const fact<std::string> answer = node.read_document("commands/nvidia_uninstall.txt", look);
  return answer.then([](const std::string &text) { return std::optional(std::string(trim(text))); }, "is empty");
}

} // namespace

installer_log parse_installer_log(std::string_view text) {
  installer_log log;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    constexpr std::string_view version_mark = "installer version:";
    if (line.starts_with(version_mark))
      log.release = driver_release::parse(trim(line.substr(version_mark.size())));
    if (line.find("Installation of") != line.npos && line.find("Driver") != line.npos &&
        (line.find("is now complete") != line.npos || line.find("is complete") != line.npos))
      log.is_complete = true;
  }
  return log;
}

run_installer read_run_installer(host &node) {
  const fact<std::string> text = node.read_file(log_path, most_log_bytes);
  return {read_uninstaller(node),
          text.then([](const std::string &whole) { return std::optional(parse_installer_log(whole)); }, "")};
}

} // namespace gpucert
