// SPDX-License-Identifier: Apache-2.0
#include "node/library_users.h"

#include "node/driver_libraries.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace gpucert {
namespace {

// Of the time for the whole check: thousands of processes with large maps must not eat the rest of it.
constexpr std::chrono::milliseconds most_time{1000};
constexpr std::size_t most_of_maps = std::size_t{8} << 20; // some programs have 100 000 mappings

bool names_driver_library(std::string_view line) {
  return line.find("/libcuda.so") != line.npos || line.find("/libnvidia-") != line.npos ||
         line.find("/libGLX_nvidia.so") != line.npos || line.find("/libEGL_nvidia.so") != line.npos;
}

/// The release in a path's file name, with " (deleted)" behind it or not. NVIDIA's other libraries have versions of
/// their own (libnvidia-egl-wayland.so.1.1.13, libnvidia-container.so.1.17.8): no driver is below 71.
std::optional<driver_release> release_of(std::string_view path) {
  auto release = parse_library_release(path.substr(path.rfind('/') + 1));
  constexpr int oldest_branch = 71;
  return release && release->branch() >= oldest_branch ? release : std::nullopt;
}

std::optional<int> pid_of(std::string_view name) {
  int pid = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc{} && stop == name.data() + name.size() ? std::optional(pid) : std::nullopt;
}

/// A capture holds the driver's lines only.
fact<std::string> read_maps(host &node, int pid) {
  const std::string path = fmt::format("/proc/{}/maps", pid);
  const fact<std::string> maps = node.peek_file(path, most_of_maps);
  if (!maps.is_known() || !names_driver_library(*maps) || node.kind() == host_kind::capture)
    return maps;
  return node.read_document("root" + path, [&] { return fact<std::string>::known(driver_lines_of_maps(*maps), path); });
}

} // namespace

std::string driver_lines_of_maps(std::string_view maps) {
  std::string lines;
  while (!maps.empty())
    if (const std::string_view line = take_line(maps); names_driver_library(line))
      lines += fmt::format("{}\n", line);
  return lines;
}

std::optional<library_user> parse_library_user(int pid, std::string_view maps) {
  constexpr std::string_view deleted = " (deleted)";
  std::optional<library_user> user;
  while (!maps.empty()) {
    std::string_view line = trim(take_line(maps));
    const auto slash = line.find('/');
    if (slash == line.npos || !names_driver_library(line))
      continue;
    std::string_view path = line.substr(slash);
    const bool is_deleted = path.ends_with(deleted);
    if (is_deleted)
      path.remove_suffix(deleted.size());
    const auto release = release_of(path);
    if (!release && !is_deleted)
      continue;
    if (!user || (is_deleted && !user->is_deleted) || (release && !user->release))
      user = library_user{pid, "", std::string(path), release, is_deleted};
  }
  return user;
}

fact<library_users> read_library_users(host &node) {
  const fact<std::vector<std::string>> names = node.list_folder("/proc");
  if (!names.is_known())
    return fact<library_users>::unknown("/proc/PID/maps", names.problem.value_or("no /proc"));
  if (node.kind() == host_kind::tree)
    return fact<library_users>::unknown("/proc/PID/maps", "a tree has no processes");
  const auto end = std::chrono::steady_clock::now() + std::min(most_time, node.time_left() / 4);
  library_users users;
  bool has_any = false;
  for (const std::string &name : *names) {
    const std::optional<int> pid = pid_of(name);
    if (!pid)
      continue;
    has_any = true;
    if (std::chrono::steady_clock::now() > end) {
      ++users.not_asked;
      continue;
    }
    const fact<std::string> maps = read_maps(node, *pid);
    if (maps.is_unknown() && node.is_live())
      ++users.unreadable;
    if (!maps.is_known())
      continue; // it ended, or is a thread of the kernel
    if (auto user = parse_library_user(*pid, *maps)) {
      if (const fact<std::string> command = node.read_file(fmt::format("/proc/{}/comm", *pid)); command.is_known())
        user->command = trim(*command);
      users.list.push_back(*std::move(user));
    }
  }
  if (!has_any)
    return fact<library_users>::unknown("/proc/PID/maps", "no processes in the capture");
  return fact<library_users>::known(std::move(users), "/proc/PID/maps");
}

} // namespace gpucert
