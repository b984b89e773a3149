// SPDX-License-Identifier: Apache-2.0
// The bytes of a loader cache, format "glibc-ld.so.cache1.1", as ldconfig writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

// FLAG_* of glibc's dl-cache.h.
inline constexpr std::uint32_t cache_flags_x86_64 = 0x0303;
inline constexpr std::uint32_t cache_flags_aarch64 = 0x0a03;
inline constexpr std::uint32_t cache_flags_i386 = 0x0003;

struct cached_library {
  std::uint32_t flags;
  std::string soname;
  std::string path;
};

inline void append_number(std::string &bytes, std::uint32_t number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof raw);
}

inline std::string ld_cache_bytes(const std::vector<cached_library> &libraries) {
  constexpr std::size_t header_bytes = 48, entry_bytes = 24;
  std::string strings, entries;
  const auto intern = [&](const std::string &text) {
    const std::size_t at = header_bytes + libraries.size() * entry_bytes + strings.size();
    strings += text + '\0';
    return static_cast<std::uint32_t>(at);
  };
  for (const cached_library &library : libraries) {
    append_number(entries, library.flags);
    append_number(entries, intern(library.soname));
    append_number(entries, intern(library.path));
    entries.append(entry_bytes - 3 * sizeof(std::uint32_t), '\0'); // OS version and hardware
  }
  std::string bytes = "glibc-ld.so.cache1.1";
  append_number(bytes, static_cast<std::uint32_t>(libraries.size()));
  append_number(bytes, static_cast<std::uint32_t>(strings.size()));
  bytes.resize(header_bytes, '\0');
  return bytes + entries + strings;
}

} // namespace gpucert
