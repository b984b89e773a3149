// SPDX-License-Identifier: Apache-2.0
// A kernel module file that has nothing but its .modinfo section.
#pragma once

#include <cstring>
#include <elf.h>
#include <string>
#include <string_view>

namespace gpucert {

/// `info`: "key=value" entries, each ended by a NUL as in a real module.
inline std::string tiny_module(std::string_view info) {
  using namespace std::string_view_literals;
  constexpr std::string_view names = "\0.modinfo\0.shstrtab\0"sv;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof header + (info.size() + names.size() + 7) / 8 * 8;

  Elf64_Shdr sections[3]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = info.size();
  sections[2].sh_name = 10;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sizeof header + info.size();
  sections[2].sh_size = names.size();

  std::string elf(header.e_shoff + sizeof sections, '\0');
  std::memcpy(elf.data(), &header, sizeof header);
  info.copy(elf.data() + sections[1].sh_offset, info.size());
  names.copy(elf.data() + sections[2].sh_offset, names.size());
  std::memcpy(elf.data() + header.e_shoff, sections, sizeof sections);
  return elf;
}

} // namespace gpucert
