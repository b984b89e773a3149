// SPDX-License-Identifier: Apache-2.0
#include "node/driver_libraries.h"

#include "node/host.h"
#include "node/ld_cache.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 2> sonames{"libcuda.so.1", "libnvidia-ml.so.1"};

// Where distributions put the driver's libraries, for trees without a loader cache. Debian keeps them in
// nvidia/current behind alternatives; NixOS in /run/opengl-driver; WSL2 in its own folder.
constexpr std::array<std::string_view, 13> library_folders{"/usr/lib/x86_64-linux-gnu",
                                                           "/usr/lib/x86_64-linux-gnu/nvidia/current",
                                                           "/usr/lib/aarch64-linux-gnu",
                                                           "/usr/lib/aarch64-linux-gnu/nvidia/current",
                                                           "/usr/lib64",
                                                           "/usr/lib64/nvidia",
                                                           "/lib/x86_64-linux-gnu",
                                                           "/lib/aarch64-linux-gnu",
                                                           "/lib64",
                                                           "/usr/lib",
                                                           "/usr/lib/nvidia",
                                                           "/run/opengl-driver/lib",
                                                           "/usr/lib/wsl/lib"};

bool is_driver_soname(std::string_view name) {
  return std::find(sonames.begin(), sonames.end(), name) != sonames.end();
}

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Folders that are links to others (/lib -> /usr/lib) would show one file twice.
std::vector<ld_cache_entry> scan_library_folders(const host &node) {
  std::vector<ld_cache_entry> found;
  std::vector<std::string> seen;
  for (const std::string_view folder : library_folders)
    for (const std::string_view soname : sonames) {
      const std::string path = fmt::format("{}/{}", folder, soname);
      const std::optional<std::string> resolved = node.resolve(path);
      if (!resolved || std::find(seen.begin(), seen.end(), *resolved) != seen.end())
        continue;
      seen.push_back(*resolved);
      found.push_back({std::string(soname), "", path});
    }
  return found;
}

fact<std::string> ask_for_cache(host &node) {
  const fact<std::string> bytes = node.peek_file("/etc/ld.so.cache");
  if (bytes.is_unknown())
    return bytes;
  std::optional<std::vector<ld_cache_entry>> entries;
  if (bytes.is_known() && !(entries = parse_ld_cache(*bytes)))
    return fact<std::string>::unknown(bytes.source, "is no loader cache of glibc");
  if (!entries) // no cache: a tree of unpacked packages, or a libc without one
    entries = scan_library_folders(node);
  std::erase_if(*entries, [](const ld_cache_entry &entry) { return !is_driver_soname(entry.soname); });
  return fact<std::string>::known(format_ldconfig_list(*entries), bytes.is_known() ? bytes.source : "library folders");
}

using link_targets = std::map<std::string, std::string>;

/// Follows the links of a capture's readlink.txt, which may name the next link or the file itself.
std::string follow(const link_targets &links, std::string path) {
  constexpr int most_links = 40; // as many as the kernel follows (MAXSYMLINKS): a circle ends
  for (int step = 0; step < most_links; ++step) {
    const auto next = links.find(path);
    if (next == links.end())
      break;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    path = (folder / next->second).lexically_normal().string(); // an absolute target replaces the folder
  }
  return path;
}

/// One line per library: its path and where it leads after all links.
std::string describe_links(const host &node, const std::vector<ld_cache_entry> &entries) {
  std::string text;
  for (const ld_cache_entry &entry : entries)
    if (const auto resolved = node.resolve(entry.path))
      text += fmt::format("{} -> {}\n", entry.path, *resolved);
  return text;
}

driver_library describe_library(const ld_cache_entry &entry, const link_targets &links) {
  driver_library library;
  library.soname = entry.soname;
  library.path = entry.path;
  library.resolved_path = follow(links, entry.path);
  library.release = parse_library_release(file_name_of(library.resolved_path));
  // On x86 the cache calls 32-bit entries just "libc6", and 64-bit ones by their machine; ldconfig may add more words,
  // as in "libc6, OS ABI: Linux 2.6.32".
  library.is_32_bit = entry.flags == "libc6" || entry.flags.starts_with("libc6, ") ||
                      entry.path.find("/i386-linux-gnu/") != std::string::npos;
  return library;
}

} // namespace

bool driver_library::is_compat_copy() const {
  return path.find("/compat/") != std::string::npos || resolved_path.find("/compat/") != std::string::npos;
}

std::optional<driver_release> parse_library_release(std::string_view file_name) {
  const auto suffix = file_name.find(".so.");
  return suffix == file_name.npos ? std::nullopt : driver_release::parse(file_name.substr(suffix + 4));
}

std::vector<recorded_link> parse_recorded_links(std::string_view text) {
  std::vector<recorded_link> links;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto arrow = line.find(" -> ");
    if (arrow != line.npos)
      links.push_back({std::string(trim(line.substr(0, arrow))), std::string(trim(line.substr(arrow + 4)))});
  }
  return links;
}

fact<std::vector<driver_library>> read_driver_libraries(host &node) {
  const fact<std::string> cache = node.read_document("commands/ldconfig_p.txt", [&] { return ask_for_cache(node); });
  std::vector<ld_cache_entry> entries;
  if (cache.is_known())
    entries = parse_ldconfig_list(*cache);
  std::erase_if(entries, [](const ld_cache_entry &entry) { return !is_driver_soname(entry.soname); });
  const fact<std::string> recorded = node.read_document(
      "commands/readlink.txt", [&] { return fact<std::string>::known(describe_links(node, entries), "readlink"); });
  const std::vector<recorded_link> recorded_links = parse_recorded_links(recorded.value.value_or(""));

  if (cache.is_unknown()) // a person's capture may hold the links alone
    for (const recorded_link &link : recorded_links)
      if (is_driver_soname(file_name_of(link.link)))
        entries.push_back({std::string(file_name_of(link.link)), "", link.link});
  if (entries.empty() && cache.is_unknown())
    return fact<std::vector<driver_library>>::unknown(cache.source, *cache.problem);

  link_targets links;
  for (const recorded_link &link : recorded_links)
    links.emplace(link.link, link.target);
  std::vector<driver_library> libraries;
  for (const ld_cache_entry &entry : entries)
    libraries.push_back(describe_library(entry, links));
  return fact<std::vector<driver_library>>::known(std::move(libraries),
                                                  cache.is_unknown() ? recorded.source : cache.source);
}

} // namespace gpucert
