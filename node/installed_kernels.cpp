// SPDX-License-Identifier: Apache-2.0
#include "node/installed_kernels.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// "5.15.0-105-generic": a number, a dot, a number.
bool looks_like_release(std::string_view text) {
  const auto dot = text.find('.');
  return dot != text.npos && dot > 0 && dot < 4 && std::all_of(text.begin(), text.begin() + dot, is_digit) &&
         dot + 1 < text.size() && is_digit(text[dot + 1]);
}

std::optional<std::string> release_or_nothing(std::string_view text) {
  return looks_like_release(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::string_view drop_suffix(std::string_view text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

/// The value of KEY=VALUE on a line of its own, without quotes.
std::optional<std::string> value_of(std::string_view text, std::string_view key) {
  std::optional<std::string> last; // a shell takes the last one
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != '=')
      continue;
    std::string_view value = trim(line.substr(key.size() + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    last = value;
  }
  return last;
}

/// What GRUB's environment block or systemd-boot's configuration names as the default; empty where neither does.
std::string default_entry(host &node) {
  for (const char *path : {"/boot/grub2/grubenv", "/boot/grub/grubenv"})
    if (const fact<std::string> block = node.peek_file(path); block.is_known())
      for (const char *key : {"next_entry", "saved_entry"}) // what grub-reboot asks for comes first
        if (const auto entry = value_of(*block, key); entry && !entry->empty())
          return *entry;
  return "";
}

/// The files of /boot that matter, and which one is started. Reads no file but GRUB's environment.
fact<std::string> list_boot(host &node) {
  const fact<std::vector<std::string>> names = node.peek_folder("/boot");
  if (!names.is_known())
    return names.is_absent() ? fact<std::string>::absent("/boot") : fact<std::string>::unknown("/boot", *names.problem);
  const std::optional<std::string> chosen = kernel_in_menu_entry(default_entry(node));
  std::string text;
  for (const std::string &name : *names) {
    const bool is_kernel = name.starts_with("vmlinu");
    if (is_kernel || name.starts_with("initr"))
      text += fmt::format("/boot/{}{}\n", name, is_kernel && chosen && kernel_in_boot_file(name) == chosen ? " *" : "");
  }
  return fact<std::string>::known(std::move(text), "/boot");
}

fact<std::string> list_module_folders(host &node) {
  const fact<std::vector<std::string>> names = node.peek_folder("/lib/modules");
  if (!names.is_known())
    return names.is_absent() ? fact<std::string>::absent("/lib/modules")
                             : fact<std::string>::unknown("/lib/modules", *names.problem);
  std::string text;
  for (const std::string &name : *names)
    text += name + "\n";
  return fact<std::string>::known(std::move(text), "/lib/modules");
}

/// One name a line, or whole paths as `ls -d` prints them; in order of release.
std::vector<std::string> parse_module_folders(std::string_view text) {
  std::vector<std::string> folders;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    while (line.ends_with('/'))
      line.remove_suffix(1);
    line = line.substr(line.rfind('/') + 1);
    if (looks_like_release(line))
      folders.emplace_back(line);
  }
  std::sort(folders.begin(), folders.end(),
            [](const std::string &a, const std::string &b) { return is_older_kernel(a, b); });
  return folders;
}

std::optional<std::string> newest_of(const std::vector<std::string> &releases) {
  const auto newest =
      std::max_element(releases.begin(), releases.end(),
                       [](const std::string &a, const std::string &b) { return is_older_kernel(a, b); });
  return newest == releases.end() ? std::nullopt : std::optional(*newest);
}

/// "6.14.4.arch1-2" of the package is 6.14.4-arch1-2 as the kernel says it.
std::string arch_release(std::string_view version) {
  std::string release(version);
  if (const auto at = release.find(".arch"); at != release.npos)
    release[at] = '-';
  return release;
}

} // namespace

std::vector<boot_file> parse_boot_list(std::string_view text) {
  std::vector<boot_file> files;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    const bool is_default = line.ends_with(" *");
    if (is_default)
      line = trim(line.substr(0, line.size() - 2));
    if (!line.empty())
      files.push_back({std::string(line), is_default});
  }
  return files;
}

std::optional<std::string> kernel_in_boot_file(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.find("rescue") != name.npos || name.find("kdump") != name.npos)
    return std::nullopt;
  if (name.ends_with(".conf"))
    return kernel_in_menu_entry(name);
  constexpr std::array<std::string_view, 6> stems{"vmlinuz-",    "vmlinux-",   "kernel-",
                                                  "initrd.img-", "initramfs-", "initrd-"};
  for (const std::string_view stem : stems)
    if (name.starts_with(stem))
      return release_or_nothing(drop_suffix(name.substr(stem.size()), ".img"));
  return std::nullopt;
}

std::optional<std::string> parse_grub_default(std::string_view text) { return value_of(text, "GRUB_DEFAULT"); }

std::optional<std::string> kernel_in_menu_entry(std::string_view entry) {
  entry = drop_suffix(entry, ".conf");
  if (const auto words = entry.rfind("with Linux "); words != entry.npos) {
    std::string_view rest = entry.substr(words + std::string_view("with Linux ").size());
    return release_or_nothing(take_word(rest));
  }
  // gnulinux-5.15.0-105-generic-advanced-UUID; MACHINE-5.14.0-570.el9.x86_64
  std::string_view rest = entry.substr(entry.rfind('>') == entry.npos ? 0 : entry.rfind('>') + 1);
  while (!rest.empty() && !looks_like_release(rest)) {
    const auto dash = rest.find('-');
    rest = dash == rest.npos ? std::string_view() : rest.substr(dash + 1);
  }
  rest = rest.substr(0, rest.find("-advanced-"));
  return release_or_nothing(rest);
}

bool is_older_kernel(std::string_view a, std::string_view b) {
  const auto is_part = [](char letter) { return is_digit(letter) || (letter >= 'a' && letter <= 'z'); };
  const auto take_part = [&](std::string_view &text) {
    while (!text.empty() && !is_part(text.front()))
      text.remove_prefix(1);
    std::size_t size = 0;
    while (size < text.size() && is_part(text[size]) && is_digit(text[size]) == is_digit(text.front()))
      ++size;
    const std::string_view part = text.substr(0, size);
    text.remove_prefix(size);
    return part;
  };
  while (!a.empty() || !b.empty()) {
    std::string_view left = take_part(a), right = take_part(b);
    if (left == right)
      continue;
    if (left.starts_with("rc") || right.starts_with("rc")) // 6.8.0-rc3 comes before 6.8.0
      return left.starts_with("rc") && !right.starts_with("rc");
    const bool are_numbers = !left.empty() && !right.empty() && is_digit(left.front()) && is_digit(right.front());
    if (!are_numbers)
      return left.empty() || (!right.empty() && !is_digit(left.front()) && (is_digit(right.front()) || left < right));
    while (left.size() > 1 && left.front() == '0')
      left.remove_prefix(1);
    while (right.size() > 1 && right.front() == '0')
      right.remove_prefix(1);
    if (left != right)
      return left.size() != right.size() ? left.size() < right.size() : left < right;
  }
  return false;
}

std::vector<std::string> kernels_of_packages(const std::vector<installed_package> &packages) {
  std::vector<std::string> kernels;
  for (const installed_package &package : packages) {
    if (!package.has_files() || package.is_name_cut)
      continue;
    std::string_view name = package.name;
    for (const std::string_view stem : {"linux-image-unsigned-", "linux-image-"})
      if (name.starts_with(stem)) {
        if (auto release = release_or_nothing(name.substr(stem.size())))
          kernels.push_back(*std::move(release));
        break;
      }
    if ((name == "kernel-core" || name == "kernel") && package.version && package.architecture &&
        looks_like_release(package.version->text))
      kernels.push_back(fmt::format("{}.{}", package.version->text, *package.architecture));
    if (name == "linux" && package.version && package.version->text.find(".arch") != std::string::npos)
      kernels.push_back(arch_release(package.version->text));
  }
  return kernels;
}

installed_kernels read_installed_kernels(host &node) {
  installed_kernels kernels;
  kernels.module_folders =
      node.read_document("root/lib/modules.list", [&] { return list_module_folders(node); })
          .then([](const std::string &text) { return std::optional(parse_module_folders(text)); }, "is not readable");
  kernels.boot_files =
      node.read_document("root/boot.list", [&] { return list_boot(node); })
          .then([](const std::string &text) { return std::optional(parse_boot_list(text)); }, "is not readable");
  kernels.grub_default = node.read_file("/etc/default/grub").then(parse_grub_default, "sets no GRUB_DEFAULT");
  return kernels;
}

std::optional<next_kernel> find_next_kernel(const installed_kernels &kernels,
                                            const fact<std::vector<installed_package>> &packages,
                                            const fact<std::string> &running) {
  std::vector<std::string> found;
  if (kernels.boot_files.is_known())
    for (const boot_file &file : *kernels.boot_files)
      if (const auto release = kernel_in_boot_file(file.path)) {
        if (file.is_default)
          return next_kernel{*release, kernels.boot_files.source, "the default entry of the boot loader"};
        found.push_back(*release);
      }
  if (kernels.grub_default.is_known())
    if (const auto release = kernel_in_menu_entry(*kernels.grub_default))
      return next_kernel{*release, kernels.grub_default.source, "GRUB_DEFAULT names it"};

  std::string source = kernels.boot_files.source;
  bool is_sure = true;
  if (found.empty() && packages.is_known()) {
    found = kernels_of_packages(*packages);
    source = packages.source;
  }
  if (found.empty() && kernels.module_folders.is_known()) {
    found = *kernels.module_folders;
    source = kernels.module_folders.source;
    is_sure = found.size() == 1;
  }
  if (found.empty())
    return std::nullopt;
  const bool was_removed = kernels.module_folders.is_known() && running.is_known() &&
                           std::find(kernels.module_folders->begin(), kernels.module_folders->end(), *running) ==
                               kernels.module_folders->end();
  if (running.is_known() && !was_removed)
    found.push_back(*running);
  return next_kernel{*newest_of(found), source, "the newest kernel that is installed", is_sure};
}

} // namespace gpucert
