// SPDX-License-Identifier: Apache-2.0
#include "node/modinfo.h"

#include "node/guarded_call.h"
#include "node/host.h"
#include "node/kmod_library.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <elf.h>

namespace gpucert {
namespace {

template <class Header> std::optional<Header> header_at(std::string_view bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Header))
    return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data() + offset, sizeof header);
  return header;
}

std::optional<std::string_view> bytes_of_section(std::string_view elf, const Elf64_Shdr &section) {
  if (section.sh_offset > elf.size() || section.sh_size > elf.size() - section.sh_offset)
    return std::nullopt;
  return elf.substr(section.sh_offset, section.sh_size);
}

/// The path of a module in modules.dep, whose lines read "kernel/drivers/x/nvidia.ko.zst: dependencies".
std::optional<std::string> find_in_modules_dep(std::string_view dep, std::string_view name) {
  while (!dep.empty()) {
    const std::string_view line = take_line(dep);
    const std::string_view path = line.substr(0, line.find(':'));
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (file.substr(0, file.find('.')) == name)
      return std::string(path);
  }
  return std::nullopt;
}

/// libkmod opens files by itself, so that only a child process can bound it. A compressed module of 100 MB takes about
/// one second.
template <class Ask> guarded_call_result ask_libkmod(const host &node, Ask ask) {
  constexpr std::chrono::milliseconds most{5000};
  return call_guarded(ask, std::min(most, node.time_left()));
}

} // namespace

fact<std::string> describe_module_file(host &node, const std::string &file) {
  const auto place = node.place(file);
  if (!place)
    return fact<std::string>::unknown(file, "is in the kernel's list of modules, and is not there");
  guarded_call_result described = ask_libkmod(node, [&] { return describe_module_with_libkmod(*place); });
  if (!described.has_ended)
    return fact<std::string>::unknown(file, "reading it with libkmod did not end before its deadline");
  std::optional<std::string> text = std::move(described.text);
  if (!text)
    text = parse_modinfo_section(node.peek_file(file).value.value_or("")); // without libkmod: uncompressed ones only
  if (!text)
    return fact<std::string>::unknown(file, "is no module, or is compressed in a way that libkmod cannot read here");
  return fact<std::string>::known(fmt::format("filename:       {}\n{}", file, *text), file);
}

namespace {

fact<std::string> describe_module(host &node, const std::string &folder) {
  const auto place = node.place(folder);
  const std::string source = "modinfo nvidia (" + folder + ")";
  // libkmod reads the binary index. Where there is none, or no libkmod, the text that it is made of serves as well.
  std::optional<std::string> found;
  if (place && node.exists(folder + "/modules.dep.bin")) {
    guarded_call_result called = ask_libkmod(node, [&] { return find_module_with_libkmod(*place, "nvidia"); });
    if (!called.has_ended)
      return fact<std::string>::unknown(source, "reading it with libkmod did not end before its deadline");
    found = std::move(called.text);
  }
  if (!found)
    return describe_module_from_files(node, folder);
  if (found->empty())
    return fact<std::string>::known("", source);
  // libkmod names the file by its place in our file system; the node knows it by its own path.
  if (found->starts_with(place->string()))
    found->replace(0, place->string().size(), folder);
  fact<std::string> text = describe_module_file(node, *found);
  if (text.is_known())
    text.source = source;
  return text;
}

} // namespace

fact<std::string> describe_module_from_files(host &node, const std::string &folder) {
  const fact<std::string> dep = node.peek_file(folder + "/modules.dep");
  if (!dep.is_known())
    return dep;
  const std::optional<std::string> path = find_in_modules_dep(*dep, "nvidia");
  if (!path)
    return fact<std::string>::known("", dep.source);
  return describe_module_file(node, path->starts_with('/') ? *path : folder + "/" + *path);
}

std::optional<std::string> parse_modinfo_section(std::string_view elf) {
  const auto header = header_at<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  const auto section = [&](std::size_t index) {
    return header_at<Elf64_Shdr>(elf, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto name_section = section(header->e_shstrndx);
  const auto names = name_section ? bytes_of_section(elf, *name_section) : std::nullopt;
  for (std::size_t index = 0; names && index < header->e_shnum; ++index) {
    const auto candidate = section(index);
    if (!candidate || candidate->sh_name >= names->size())
      continue;
    const std::string_view name = names->substr(candidate->sh_name);
    if (name.substr(0, name.find('\0')) != ".modinfo")
      continue;
    const auto bytes = bytes_of_section(elf, *candidate);
    if (!bytes)
      return std::nullopt;
    std::string text(*bytes);
    for (char &letter : text)
      if (letter == '\0')
        letter = '\n';
    return text;
  }
  return std::nullopt;
}

bool says_module_not_found(std::string_view modinfo_text) {
  if (trim(modinfo_text).empty())
    return true;
  while (!modinfo_text.empty()) {
    const std::string_view line = take_line(modinfo_text);
    // "bash: modinfo: command not found" speaks of the tool.
    if (contains_ignoring_case(line, "module ") &&
        (line.find("not found") != line.npos || line.find("could not find") != line.npos))
      return true;
  }
  return false;
}

std::optional<module_file> parse_modinfo(std::string_view text) {
  if (auto bare = driver_release::parse(trim(text)))
    return module_file{{*std::move(bare)}, {}, {}, {}};
  std::optional<driver_release> version;
  std::optional<std::string> path, license, kernel, signer, srcversion;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    // "key:   value" by modinfo, "key=value" by the .modinfo section.
    const auto split = line.find_first_of(":=");
    if (split == line.npos)
      continue;
    const std::string_view key = line.substr(0, split);
    std::string_view value = trim(line.substr(split + 1));
    if (key == "version" && !version)
      version = driver_release::parse(value);
    else if (key == "filename" && !path)
      path = value;
    else if (key == "license" && !license)
      license = value;
    else if (key == "vermagic" && !kernel)
      kernel = take_word(value);
    else if (key == "signer" && !signer && !value.empty())
      signer = value;
    else if (key == "srcversion" && !srcversion)
      srcversion = value;
  }
  if (!version)
    return std::nullopt;
  return module_file{{*std::move(version)}, path, license, kernel, signer, srcversion};
}

std::string modules_folder_of(const host &node, const std::string &kernel) {
  const std::string usual = "/lib/modules/" + kernel;
  if (node.exists(usual))
    return usual;
  // NixOS keeps those of the booted generation and those of the newest one, which is booted next, each at its place.
  for (const char *generation : {"/run/booted-system", "/nix/var/nix/profiles/system"})
    if (const std::string place = fmt::format("{}/kernel-modules/lib/modules/{}", generation, kernel);
        node.exists(place))
      return place;
  return usual;
}

namespace {

/// The module as `text` describes it. modinfo's own "not found" is an answer.
fact<module_file> understand(const fact<std::string> &text) {
  fact<module_file> file = text.then(parse_modinfo, "names no version");
  if (text.is_known() && !file.is_known() && says_module_not_found(*text))
    return fact<module_file>::absent(text.source);
  return file;
}

fact<std::string> describe_module_of(host &node, const std::string &kernel) {
  const std::string folder = modules_folder_of(node, kernel);
  return node.exists(folder) ? describe_module(node, folder) : fact<std::string>::absent(folder);
}

} // namespace

fact<module_file> read_module_on_disk(host &node, const fact<std::string> &kernel_release) {
  return understand(node.read_document("commands/modinfo_nvidia.txt", [&]() -> fact<std::string> {
    if (!kernel_release.is_known())
      return fact<std::string>::unknown("modinfo nvidia", "the running kernel is not known");
    return describe_module_of(node, *kernel_release);
  }));
}

fact<module_file> read_module_of_next_kernel(host &node, const std::string &kernel) {
  return understand(
      node.read_document("commands/modinfo_nvidia_next_kernel.txt", [&] { return describe_module_of(node, kernel); }));
}

} // namespace gpucert
