// SPDX-License-Identifier: Apache-2.0
// Check platform_driver: on WSL2 and Jetson, do programs get the driver of that platform?
//
// PCI and the packages of a server say nothing there. On WSL2 the driver is Windows': /dev/dxg and the libraries in
// /usr/lib/wsl/lib. A Jetson has its driver from Jetson Linux: nvidia or nvgpu, and libraries in folders of its own. On
// both a driver package of the distribution comes in the way, since its libcuda knows no such GPU.
#include "checks/check.h"
#include "node/evidence.h"

#include <algorithm>
#include <array>
#include <span>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 1> wsl_folders{"/wsl/"};
// Releases up to 35 use tegra/, 36 uses nvidia/, 39 the third.
constexpr std::array<std::string_view, 3> jetson_folders{"/aarch64-linux-gnu/tegra/", "/aarch64-linux-gnu/nvidia/",
                                                         "/opt/nvidia/l4t-gpu-libs/"};

struct kind_of_platform {
  std::string_view name;
  std::span<const std::string_view> folders; // of its own libraries
  std::string_view foreign_driver;           // id of the finding
};

const std::string &place_of(const driver_library &library) {
  return library.resolved_path.empty() ? library.path : library.resolved_path;
}

bool is_own(const driver_library &library, const kind_of_platform &kind) {
  return std::any_of(kind.folders.begin(), kind.folders.end(),
                     [&](std::string_view folder) { return place_of(library).find(folder) != std::string::npos; });
}

/// A toolkit's stub and a compatibility copy are found only by who asks for them.
bool is_first_choice(const driver_library &library) {
  return library.soname == "libcuda.so.1" && !library.is_32_bit && !library.is_compat_copy() &&
         library.path.find("/stubs/") == std::string::npos;
}

const installed_package *find_server_package(const node_evidence &node) {
  if (!node.packages.is_known())
    return nullptr;
  const auto found = std::find_if(node.packages->begin(), node.packages->end(), [](const installed_package &package) {
    return package.has_files() && classify_driver_package(package.name) == driver_part::userspace;
  });
  return found == node.packages->end() ? nullptr : &*found;
}

void report_foreign(const node_evidence &node, const kind_of_platform &kind, const driver_library &first,
                    const installed_package *package, judgement &result) {
  finding &found = result.add(kind.foreign_driver)
                       .saw("programs get {}, which is not the driver of {}", first.path, kind.name)
                       .expected("libcuda.so.1 of {} first", kind.name)
                       .read_from(node.libraries.source, first.path + " -> " + place_of(first));
  if (package != nullptr)
    found.read_from(node.packages.source, package->name + (package->version ? " " + package->version->text : ""));
}

/// The libcuda that the loader takes first, and the packages that could bring another one.
void judge_libcuda(const node_evidence &node, const kind_of_platform &kind, judgement &result) {
  if (!node.libraries.is_known())
    return result.cannot_tell("the libcuda that programs load", node.libraries);
  const auto first = std::find_if(node.libraries->begin(), node.libraries->end(), is_first_choice);
  if (first == node.libraries->end())
    return result.cannot_tell({fmt::format("libcuda of {}", kind.name), node.libraries.source, "the node has none"});
  const installed_package *package = find_server_package(node);
  const bool has_own = std::any_of(first, node.libraries->end(), [&](const driver_library &library) {
    return is_first_choice(library) && is_own(library, kind);
  });
  if (!is_own(*first, kind)) {
    if (node.platform.is_wsl2 && package != nullptr)
      return; // check platform_kind says so
    if (has_own || package != nullptr)
      return report_foreign(node, kind, *first, package, result);
    return result.cannot_tell({fmt::format("whether libcuda is that of {}", kind.name), node.libraries.source,
                               place_of(*first) + " is none of its known places"});
  }
  if (node.packages.is_unknown())
    return result.cannot_tell("packages that could bring another driver", node.packages);
  if (package != nullptr) // it works for who asks the loader, but not for each program
    result.cannot_tell({"the libcuda that each program loads", node.packages.source,
                        fmt::format("{} is installed beside the driver of {}", package->name, kind.name)});
}

bool has_device(const node_evidence &node, std::string_view path) {
  return std::any_of(node.device_files->begin(), node.device_files->end(),
                     [&](const device_file &file) { return file.path == path; });
}

void judge_wsl2(const node_evidence &node, judgement &result) {
  judge_libcuda(node, {"WSL2", wsl_folders, "platform.wsl2-linux-driver"}, result);
  if (!node.device_files.is_known())
    return result.cannot_tell("/dev/dxg", node.device_files);
  // Without both, nobody says that there is a GPU: judge_libcuda has told that.
  const bool has_libcuda =
      node.libraries.is_known() && std::any_of(node.libraries->begin(), node.libraries->end(), is_first_choice);
  if (!has_device(node, "/dev/dxg") && has_libcuda)
    result.add("platform.wsl2-gpu-not-exposed")
        .saw("no /dev/dxg")
        .expected("/dev/dxg, the way to the GPUs of Windows")
        .read_from(node.device_files.source, "no such device");
}

/// Up to release 35 the module has the number of Jetson Linux; later ones are numbered like desktop drivers.
void judge_numbers(const node_evidence &node, judgement &result) {
  constexpr int newest_jetson_number = 70; // the oldest desktop driver that anybody met is 71.86
  const auto &linux_release = node.platform.jetson_linux;
  if (!linux_release.is_known())
    return result.cannot_tell("the release of Jetson Linux", linux_release);
  if (node.modules.nvidia.is_unknown() && node.modules.has("nvidia") == true)
    return result.cannot_tell("the version of the loaded module", node.modules.nvidia);
  if (!node.modules.nvidia.is_known() || node.modules.nvidia->version.release.branch() > newest_jetson_number)
    return;
  const driver_release &module = node.modules.nvidia->version.release;
  if (module == *linux_release)
    return;
  result.add(module < *linux_release ? "driver.module-older-than-userspace" : "driver.module-newer-than-userspace")
      .saw("kernel module of Jetson Linux {}, the system is Jetson Linux {}", module.text(), linux_release->text())
      .expected("one release of Jetson Linux")
      .read_from(node.modules.nvidia.source, module.text())
      .read_from(linux_release.source, linux_release->text());
}

void judge_jetson(const node_evidence &node, judgement &result) {
  judge_libcuda(node, {"Jetson", jetson_folders, "userspace.multiple-library-copies"}, result);
  judge_numbers(node, result);
  // Some kernels have nvgpu built in, and no list names it then.
  if (node.modules.has("nvidia") == false && node.modules.has("nvgpu") == false)
    result.cannot_tell({"whether the GPU has a module", node.modules.names.source, "neither nvidia nor nvgpu"});
}

void judge_platform_driver(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.is_wsl2)
    judge_wsl2(node, result);
  if (node.platform.is_jetson)
    judge_jetson(node, result);
}

const check_registration registration{{"platform_driver",
                                       "do programs on WSL2 and Jetson get the driver of that platform?", true,
                                       judge_platform_driver}};

} // namespace
} // namespace gpucert
