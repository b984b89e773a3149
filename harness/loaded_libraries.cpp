// SPDX-License-Identifier: Apache-2.0
// Loaded libraries from /proc/self/maps.
#include "harness/loaded_libraries.h"

#include "harness/elf_build_id.h"
#include "harness/sha256.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <optional>
#include <unistd.h>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 5> library_names{"libcudart", "libcublas", "libcublasLt", "libcuda",
                                                        "libnvidia-ml"};
constexpr const char *simulator_marker = "gpucert_simulator_marker";

/// The library that a file name speaks of: libcudart.so.13, and libcudart-d0da41ae.so.11.0 as Python wheels rename it.
std::optional<std::string_view> library_of(std::string_view file_name) {
  for (const std::string_view name : library_names) {
    if (!file_name.starts_with(name))
      continue;
    const std::string_view rest = file_name.substr(name.size());
    if (rest.starts_with(".so") || (rest.starts_with("-") && rest.find(".so") != rest.npos))
      return name;
  }
  return std::nullopt;
}

/// The path of one line: "start-end perms offset device inode    path", the path to the end of the line.
std::string_view path_of(std::string_view line) {
  for (int field = 0; field < 5; ++field) {
    const std::size_t end = line.find(' ');
    if (end == line.npos)
      return {};
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
  }
  return line;
}

/// A symbol of a library that is loaded already, and not of one that it depends on, which dlsym would take as well.
void *find_symbol(const std::string &path, const char *symbol) {
  void *const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return nullptr;
  void *address = dlsym(handle, symbol);
  link_map *library = nullptr;
  void *owner = nullptr;
  Dl_info info{};
  if (address && (dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0 ||
                  dladdr1(address, &info, &owner, RTLD_DL_LINKMAP) == 0 || owner != library))
    address = nullptr;
  dlclose(handle); // the library stays: somebody else loaded it
  return address;
}

std::string read_own_maps() {
  std::ifstream file("/proc/self/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::string> read_sha256(int file) {
  sha256 digest;
  std::array<char, 1U << 16> chunk{};
  for (off_t at = 0;;) {
    const ssize_t size = pread(file, chunk.data(), chunk.size(), at);
    if (size < 0)
      return std::nullopt;
    if (size == 0)
      return digest.finish();
    digest.add({chunk.data(), static_cast<std::size_t>(size)});
    at += size;
  }
}

} // namespace

std::vector<mapped_library> parse_mapped_libraries(std::string_view maps) {
  std::vector<mapped_library> libraries;
  while (!maps.empty()) {
    const std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(maps.size(), line.size() + 1));
    const std::string_view path = path_of(line);
    const auto name = library_of(path.substr(path.rfind('/') + 1));
    if (!name || !path.starts_with('/'))
      continue;
    const mapped_library library{std::string(*name), std::string(path)};
    if (std::find(libraries.begin(), libraries.end(), library) == libraries.end())
      libraries.push_back(library);
  }
  return libraries;
}

std::string read_library_digest(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  std::string digest;
  if (const auto id = read_build_id(file))
    digest = "build-id:" + *id;
  else if (const auto hash = read_sha256(file))
    digest = "sha256:" + *hash;
  close(file);
  return digest;
}

std::vector<loaded_library> read_loaded_libraries() {
  std::vector<loaded_library> libraries;
  for (const mapped_library &mapped : parse_mapped_libraries(read_own_maps()))
    libraries.push_back({mapped.name, mapped.path, read_library_digest(mapped.path),
                         find_symbol(mapped.path, simulator_marker) != nullptr});
  return libraries;
}

void *find_in_loaded_library(std::string_view library_name, const char *symbol) {
  for (const mapped_library &mapped : parse_mapped_libraries(read_own_maps()))
    if (mapped.name == library_name)
      if (void *const address = find_symbol(mapped.path, symbol))
        return address;
  return nullptr;
}

} // namespace gpucert
