// SPDX-License-Identifier: Apache-2.0
#include "node/ld_cache.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace gpucert {
namespace {

constexpr std::string_view new_magic = "glibc-ld.so.cache1.1";

// struct cache_file_new and file_entry_new of glibc's dl-cache.h; offsets of strings count from the new header.
struct cache_header {
  char magic[20];
  std::uint32_t entry_count;
  std::uint32_t string_bytes;
  std::uint8_t flags;
  std::uint8_t padding[3];
  std::uint32_t extension_offset;
  std::uint32_t unused[3];
};
static_assert(sizeof(cache_header) == 48);

struct cache_entry {
  std::int32_t flags;
  std::uint32_t soname;
  std::uint32_t path;
  std::uint32_t os_version;
  std::uint64_t hardware;
};
static_assert(sizeof(cache_entry) == 24);

// FLAG_* of dl-cache.h: the low byte is the libc, the next one the machine.
std::string flags_text(std::int32_t flags) {
  constexpr std::int32_t libc6 = 3;
  if ((flags & 0xff) != libc6)
    return "";
  switch (flags & 0xff00) {
  case 0x0300:
    return "libc6,x86-64";
  case 0x0a00:
    return "libc6,AArch64";
  case 0x0500:
    return "libc6,64bit"; // ppc64
  case 0x0000:
    return "libc6"; // 32 bit on x86
  default:
    return fmt::format("libc6,0x{:04x}", flags & 0xff00);
  }
}

/// Nothing where no string ends: many entries that point into one endless string would fill the memory.
std::optional<std::string> string_at(std::string_view cache, std::uint32_t offset) {
  constexpr std::size_t longest_path = 4096; // PATH_MAX
  if (offset >= cache.size())
    return std::nullopt;
  const std::string_view rest = cache.substr(offset, longest_path);
  const auto end = rest.find('\0');
  return end == rest.npos ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
}

} // namespace

std::optional<std::vector<ld_cache_entry>> parse_ld_cache(std::string_view bytes) {
  const auto start = bytes.find(new_magic);
  if (start == bytes.npos || bytes.size() - start < sizeof(cache_header))
    return std::nullopt;
  const std::string_view cache = bytes.substr(start);
  cache_header header;
  std::memcpy(&header, cache.data(), sizeof header);
  if (header.entry_count > (cache.size() - sizeof header) / sizeof(cache_entry))
    return std::nullopt;
  std::vector<ld_cache_entry> entries;
  for (std::size_t index = 0; index < header.entry_count; ++index) {
    cache_entry entry;
    std::memcpy(&entry, cache.data() + sizeof header + index * sizeof entry, sizeof entry);
    auto soname = string_at(cache, entry.soname), path = string_at(cache, entry.path);
    if (!soname || !path)
      return std::nullopt;
    entries.push_back({*std::move(soname), flags_text(entry.flags), *std::move(path)});
  }
  return entries;
}

std::vector<ld_cache_entry> parse_ldconfig_list(std::string_view text) {
  std::vector<ld_cache_entry> entries;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto arrow = line.find(" => ");
    if (arrow == line.npos)
      continue;
    std::string_view left = line.substr(0, arrow);
    ld_cache_entry entry;
    entry.soname = take_word(left);
    entry.path = trim(line.substr(arrow + 4));
    const auto open = left.find('('), close = left.rfind(')');
    if (open != left.npos && close != left.npos && open < close)
      entry.flags = left.substr(open + 1, close - open - 1);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string format_ldconfig_list(const std::vector<ld_cache_entry> &entries) {
  std::string text;
  for (const ld_cache_entry &entry : entries)
    text += entry.flags.empty() ? fmt::format("\t{} => {}\n", entry.soname, entry.path)
                                : fmt::format("\t{} ({}) => {}\n", entry.soname, entry.flags, entry.path);
  return text;
}

} // namespace gpucert
