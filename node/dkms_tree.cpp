// SPDX-License-Identifier: Apache-2.0
// DKMS' tree, as dkms itself walks it:
//   /var/lib/dkms/MODULE/VERSION/source -> /usr/src/MODULE-VERSION   the sources, with dkms.conf
//   /var/lib/dkms/MODULE/VERSION/KERNEL/ARCH/module/NAME.ko*         built
//   /var/lib/dkms/MODULE/kernel-KERNEL-ARCH -> VERSION/KERNEL/ARCH   installed
#include "node/dkms.h"
#include "node/host.h"
#include "node/modinfo.h"
#include "node/module_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace gpucert {
namespace {

constexpr std::string_view tree = "/var/lib/dkms";

std::vector<std::string> names_in(const host &node, const std::string &folder) {
  return node.peek_folder(folder).value.value_or(std::vector<std::string>());
}

bool is_folder(const host &node, const std::string &path) {
  std::error_code error;
  const auto place = node.place(path);
  return place && std::filesystem::is_directory(*place, error);
}

std::optional<std::uintmax_t> size_of(const host &node, const std::string &path) {
  std::error_code error;
  const auto place = node.place(path);
  const std::uintmax_t size = place ? std::filesystem::file_size(*place, error) : 0;
  return place && !error ? std::optional(size) : std::nullopt;
}

/// What dkms adds behind "installed" for the file of one built module. Equal size is taken as the same file: DKMS
/// copies what it built, byte for byte.
std::string compare_with_installed(const host &node, const std::string &built, const std::string &kernel) {
  const std::string name = built.substr(built.rfind('/') + 1);
  const std::string folder = modules_folder_of(node, kernel);
  bool is_there = false;
  for (const char *place : {"updates/dkms", "extra", "updates", "kernel/drivers/video", "weak-updates"}) {
    const std::string installed = fmt::format("{}/{}/{}", folder, place, name);
    if (!node.exists(installed))
      continue;
    is_there = true;
    if (size_of(node, installed) == size_of(node, built))
      return "";
  }
  if (is_there)
    return " (Differences between built and installed modules)";
  return node.exists(folder) ? " (Built modules are missing in the kernel modules folder)" : "";
}

/// The lines of one kernel of one version.
std::string describe_kernel(const host &node, const std::string &module, const std::string &version,
                            const std::string &kernel) {
  std::string text;
  for (const std::string &arch : names_in(node, fmt::format("{}/{}/{}/{}", tree, module, version, kernel))) {
    const std::string built = fmt::format("{}/{}/{}/{}/{}/module", tree, module, version, kernel, arch);
    if (!is_folder(node, built))
      continue;
    const auto link = node.read_link(fmt::format("{}/{}/kernel-{}-{}", tree, module, kernel, arch));
    const bool is_installed = link && link->starts_with(version + "/");
    std::string remark;
    for (const std::string &name : names_in(node, built))
      if (is_installed && name.starts_with("nvidia.ko"))
        remark = compare_with_installed(node, fmt::format("{}/{}", built, name), kernel);
    text += fmt::format("{}/{}, {}, {}: {}{}\n", module, version, kernel, arch, is_installed ? "installed" : "built",
                        remark);
  }
  return text;
}

std::string describe_version(const host &node, const std::string &module, const std::string &version) {
  const std::string folder = fmt::format("{}/{}/{}", tree, module, version);
  const std::string conf = folder + "/source/dkms.conf";
  if (!node.exists(conf))
    return fmt::format("Error! Could not locate dkms.conf file.\nFile: {} does not exist.\n{}/{}: broken\n", conf,
                       module, version);
  std::string text;
  for (const std::string &kernel : names_in(node, folder))
    if (kernel != "source" && kernel != "build" && is_folder(node, fmt::format("{}/{}", folder, kernel)))
      text += describe_kernel(node, module, version, kernel);
  return text.empty() ? fmt::format("{}/{}: added\n", module, version) : text;
}

} // namespace

fact<std::string> describe_dkms_tree(const host &node) {
  const fact<std::vector<std::string>> modules = node.peek_folder(tree);
  if (!modules.is_known())
    return modules.is_absent() ? fact<std::string>::absent(modules.source)
                               : fact<std::string>::unknown(modules.source, *modules.problem);
  std::string text;
  for (const std::string &module : *modules) {
    const std::string folder = fmt::format("{}/{}", tree, module);
    for (const std::string &version : names_in(node, folder))
      if (!version.starts_with("kernel-") && version != "original_module" &&
          is_folder(node, fmt::format("{}/{}", folder, version)))
        text += describe_version(node, module, version);
  }
  if (text.empty())
    return fact<std::string>::absent(std::string(tree));
  return fact<std::string>::known(std::move(text), std::string(tree));
}

} // namespace gpucert
