// SPDX-License-Identifier: Apache-2.0
// Build ids from ELF program headers.
#include "harness/elf_build_id.h"

#include <cstring>
#include <elf.h>
#include <unistd.h>

namespace gpucert {
namespace {

constexpr std::size_t notes_limit_bytes = 1U << 20; // real ones have some hundred bytes
constexpr std::size_t align_note(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

template <class T> bool read_at(int file, T &value, off_t offset) {
  return pread(file, &value, sizeof value, offset) == static_cast<ssize_t>(sizeof value);
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 0xf];
  }
  return hex;
}

std::optional<std::string> read_notes(int file, const Elf64_Phdr &segment) {
  if (segment.p_filesz > notes_limit_bytes)
    return std::nullopt;
  std::string notes(segment.p_filesz, '\0');
  if (pread(file, notes.data(), notes.size(), static_cast<off_t>(segment.p_offset)) !=
      static_cast<ssize_t>(notes.size()))
    return std::nullopt;
  return notes;
}

} // namespace

std::optional<std::string> parse_build_id(std::string_view notes) {
  Elf64_Nhdr header{};
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const std::size_t name_bytes = align_note(header.n_namesz);
    if (name_bytes > notes.size() || header.n_descsz > notes.size() - name_bytes)
      return std::nullopt;
    const std::string_view name = notes.substr(0, header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4) && header.n_descsz > 0)
      return hex_of(notes.substr(name_bytes, header.n_descsz));
    notes.remove_prefix(std::min(notes.size(), name_bytes + align_note(header.n_descsz)));
  }
  return std::nullopt;
}

std::optional<std::string> read_build_id(int file) {
  Elf64_Ehdr header{};
  constexpr unsigned char native_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (!read_at(file, header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != native_order ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return std::nullopt;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file, segment, static_cast<off_t>(header.e_phoff + static_cast<Elf64_Off>(i) * sizeof segment)))
      return std::nullopt;
    if (segment.p_type != PT_NOTE)
      continue;
    const auto notes = read_notes(file, segment);
    if (const auto id = notes ? parse_build_id(*notes) : std::nullopt)
      return id;
  }
  return std::nullopt;
}

} // namespace gpucert
