// SPDX-License-Identifier: Apache-2.0
// Check library_copies: does a program always get the same driver libraries?
#include "checks/message_evidence.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr int oldest_branch = 71; // libcuda.so.1.1 of WSL2 and Jetson states no driver release

bool belongs_elsewhere(std::string_view path) {
  constexpr std::array<std::string_view, 10> places{"/compat",   "/stubs", "/docker/", "/overlay", "/containers/",
                                                    "/flatpak/", "/snap/", "/i386-",   "/lib32",   "/run/nvidia/"};
  return std::any_of(places.begin(), places.end(),
                     [&](std::string_view place) { return path.find(place) != path.npos; });
}

struct copy {
  std::string path;
  driver_release release;
  std::string source;
};

/// The first two copies of one library that differ in release.
std::optional<std::pair<copy, copy>> differing(const std::vector<std::pair<std::string, copy>> &copies) {
  for (std::size_t first = 0; first < copies.size(); ++first)
    for (std::size_t second = first + 1; second < copies.size(); ++second)
      if (copies[first].first == copies[second].first && copies[first].second.release != copies[second].second.release)
        return std::pair(copies[first].second, copies[second].second);
  return std::nullopt;
}

std::vector<std::pair<std::string, copy>> copies_of_loader(const node_evidence &node) {
  constexpr std::size_t most_copies = 64;
  std::vector<std::pair<std::string, copy>> copies;
  for (const driver_library &library : *node.libraries)
    if (library.release && library.release->branch() >= oldest_branch && !library.is_32_bit &&
        !library.is_compat_copy() && !belongs_elsewhere(library.path) && copies.size() < most_copies)
      copies.emplace_back(library.soname,
                          copy{library.path + " -> " + library.resolved_path, *library.release, node.libraries.source});
  return copies;
}

/// Where the loader's cache is not known: all files that lie there.
std::vector<std::pair<std::string, copy>> copies_on_disk(const node_evidence &node) {
  constexpr std::size_t most_copies = 64;
  std::vector<std::pair<std::string, copy>> copies;
  for (const library_file &file : *node.userspace.library_files)
    if (file.release && file.release->branch() >= oldest_branch && !belongs_elsewhere(file.path) &&
        file.size_bytes != 0U && copies.size() < most_copies)
      copies.emplace_back(std::string(file.name().substr(0, file.name().find(".so"))),
                          copy{file.path, *file.release, node.userspace.library_files.source});
  return copies;
}

void judge_library_copies(const node_evidence &node, const expectations &, judgement &result) {
  std::optional<std::pair<copy, copy>> pair;
  if (node.libraries.is_known())
    pair = differing(copies_of_loader(node));
  else if (node.userspace.library_files.is_known())
    pair = differing(copies_on_disk(node));
  const auto messages = messages_of(node, {message_topic::tools_differ});
  if (!pair && messages.empty())
    return;
  finding &found =
      pair ? result.add("userspace.multiple-library-copies").saw("{} and {}", pair->first.path, pair->second.path)
           : add_reported(result, "userspace.multiple-library-copies", messages);
  found.expected("one copy of each library of the driver");
  if (pair)
    found.read_from(pair->first.source, pair->first.path + "\n" + pair->second.path);
}

const check_registration registration{
    {"library_copies", "is there one copy of each library of the driver?", false, judge_library_copies}};

} // namespace
} // namespace gpucert
