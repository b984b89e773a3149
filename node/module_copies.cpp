// SPDX-License-Identifier: Apache-2.0
#include "node/module_copies.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

// Where packages and build systems put it: DKMS on Debian, Ubuntu and Arch; DKMS, akmods and kmod packages on Red Hat;
// links to kABI-compatible builds; SUSE; the installer; Ubuntu's prebuilt modules lie in kernel/nvidia-580-open.
constexpr std::array<std::string_view, 7> usual_folders{"updates", "extra",   "extramodules",        "weak-updates",
                                                        "misc",    "kernel/", "kernel/drivers/video"};
constexpr int most_depth = 2; // extra/nvidia/, weak-updates/nvidia/, updates/dkms/

bool is_nvidia_module(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.')) == "nvidia" &&
         name.substr(std::min(name.find('.'), name.size())).starts_with(".ko");
}

/// Appends the copies below `folder`, deeper ones too.
void find_copies(const host &node, const std::string &folder, int depth, std::string &list) {
  const fact<std::vector<std::string>> names = node.peek_folder(folder);
  if (!names.is_known())
    return;
  for (const std::string &name : *names) {
    const std::string path = fmt::format("{}/{}", folder, name);
    if (is_nvidia_module(path)) {
      const auto target = node.read_link(path) ? node.resolve(path) : std::nullopt;
      list += target ? fmt::format("{} -> {}\n", path, *target) : path + "\n";
    } else if (depth > 0 && name.find('.') == name.npos) {
      find_copies(node, path, depth - 1, list);
    }
  }
}

void find_copies_of_kernel(const host &node, const std::string &folder, std::string &list) {
  for (const std::string_view usual : usual_folders) {
    if (!usual.ends_with('/')) {
      find_copies(node, fmt::format("{}/{}", folder, usual), usual.find('/') == usual.npos ? most_depth : 0, list);
      continue;
    }
    const std::string parent = fmt::format("{}/{}", folder, usual.substr(0, usual.size() - 1));
    if (const fact<std::vector<std::string>> names = node.peek_folder(parent); names.is_known())
      for (const std::string &name : *names)
        if (name.starts_with("nvidia"))
          find_copies(node, fmt::format("{}/{}", parent, name), 1, list);
  }
}

fact<std::string> list_copies(const host &node) {
  const fact<std::vector<std::string>> kernels = node.peek_folder("/lib/modules");
  if (kernels.is_absent())
    return fact<std::string>::absent("/lib/modules");
  if (kernels.is_unknown())
    return fact<std::string>::unknown("/lib/modules", *kernels.problem);
  std::string list;
  for (const std::string &kernel : *kernels)
    find_copies_of_kernel(node, "/lib/modules/" + kernel, list);
  return fact<std::string>::known(std::move(list), "/lib/modules");
}

/// modinfo of the copies of kernels that have more than one; a link is its target's copy.
fact<std::string> describe_copies(host &node, const std::vector<module_copy> &copies,
                                  const std::vector<std::string> &interesting) {
  std::string text;
  for (const module_copy &copy : copies) {
    const auto is_sibling = [&](const module_copy &other) { return other.kernel == copy.kernel; };
    if (std::find(interesting.begin(), interesting.end(), copy.kernel) == interesting.end() ||
        std::count_if(copies.begin(), copies.end(), is_sibling) < 2)
      continue;
    if (const fact<std::string> described = describe_module_file(node, copy.path); described.is_known())
      text += *described + "\n";
  }
  return fact<std::string>::known(std::move(text), "modinfo");
}

} // namespace

std::vector<module_copy> parse_module_list(std::string_view text) {
  constexpr std::string_view root = "lib/modules/", arrow = " -> ";
  std::vector<module_copy> copies;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    module_copy copy;
    if (const auto at = line.find(arrow); at != line.npos) {
      copy.stands_for = trim(line.substr(at + arrow.size()));
      line = trim(line.substr(0, at));
    }
    const auto at = line.find(root);
    if (at == line.npos || !is_nvidia_module(line))
      continue;
    const std::string_view below = line.substr(at + root.size());
    copy.kernel = below.substr(0, below.find('/'));
    copy.path = line;
    copies.push_back(std::move(copy));
  }
  return copies;
}

std::vector<module_file> parse_module_descriptions(std::string_view text) {
  std::vector<module_file> files;
  constexpr std::string_view first_key = "filename:";
  for (auto begin = text.find(first_key); begin != text.npos;) {
    const auto next = text.find("\nfilename:", begin + first_key.size());
    const auto end = next == text.npos ? text.size() : next + 1;
    if (auto file = parse_modinfo(text.substr(begin, end - begin)))
      files.push_back(*std::move(file));
    begin = next == text.npos ? next : end;
  }
  return files;
}

fact<std::vector<module_copy>> read_module_copies(host &node, const std::vector<std::string> &interesting) {
  using copies = std::vector<module_copy>;
  const fact<std::string> list = node.read_document("commands/find_modules.txt", [&] { return list_copies(node); });
  fact<copies> found =
      list.then([](const std::string &text) { return std::optional(parse_module_list(text)); }, "is not readable");
  if (list.is_absent())
    return fact<copies>::known({}, list.source); // looked for, and there was none
  if (!found.is_known())
    return found;
  const fact<std::string> described = node.read_document("commands/modinfo_nvidia_copies.txt",
                                                         [&] { return describe_copies(node, *found, interesting); });
  if (described.is_known())
    for (const module_file &file : parse_module_descriptions(*described))
      for (module_copy &copy : *found.value)
        if (file.path == copy.path)
          copy.file = file;
  return found;
}

} // namespace gpucert
