// SPDX-License-Identifier: Apache-2.0
// Check platform_kind: does the node follow other rules than a server with a packaged driver?
#include "checks/message_evidence.h"

#include <algorithm>

namespace gpucert {
namespace {

bool has_linux_driver(const node_evidence &node) {
  return node.packages.is_known() &&
         std::any_of(node.packages->begin(), node.packages->end(), [](const installed_package &package) {
           return package.has_files() && classify_driver_package(package.name) == driver_part::userspace;
         });
}

/// Whether the loader's first libcuda is that of Windows; nothing where nobody knows.
std::optional<bool> finds_windows_library(const node_evidence &node) {
  if (node.libraries.is_known())
    for (const driver_library &library : *node.libraries)
      if (library.soname == "libcuda.so.1" && !library.is_32_bit)
        return library.path.find("/wsl/") != std::string::npos;
  return std::nullopt;
}

void judge_wsl2(const node_evidence &node, judgement &result) {
  const auto blocked = messages_of(node, {message_topic::blocked_by_system});
  if (node.platform.is_wsl2)
    result.add("platform.wsl2")
        .saw("{}", node.kernel_release.value.value_or("a kernel of WSL2"))
        .expected("the driver of Windows")
        .read_from(node.kernel_release.source, node.kernel_release.value.value_or(""));
  std::string installs;
  for (const symptom &seen : node.symptoms)
    if (seen.source == "symptoms/install_commands.txt" && (seen.text.find("nvidia-utils") != std::string::npos ||
                                                           seen.text.find("libnvidia-compute") != std::string::npos ||
                                                           seen.text.find("nvidia-driver") != std::string::npos))
      installs = seen.text;
  const bool is_installed = has_linux_driver(node) && (node.platform.is_wsl2 || !blocked.empty()) &&
                            (finds_windows_library(node) != true || !blocked.empty());
  if (is_installed || (!installs.empty() && (!blocked.empty() || node.platform.is_wsl2))) {
    finding &found = blocked.empty() ? result.add("platform.wsl2-linux-driver").saw("driver packages of Linux")
                                     : add_reported(result, "platform.wsl2-linux-driver", blocked);
    found.expected("no driver of Linux inside WSL2");
    found.read_from(installs.empty() ? node.packages.source : "symptoms/install_commands.txt",
                    installs.empty() ? "libraries of the driver are installed" : installs);
  }
  const auto &windows = node.userspace.windows_nvidia_smi;
  if (!blocked.empty() && windows.is_known() && windows->find("TCC") != std::string::npos)
    add_reported(result, "platform.wsl2-gpu-not-exposed", blocked)
        .expected("the driver model WDDM on Windows")
        .read_from(windows.source, "TCC");
}

void judge_platform_kind(const node_evidence &node, const expectations &, judgement &result) {
  judge_wsl2(node, result);
  if (node.platform.is_jetson)
    result.add("platform.jetson")
        .saw("a Jetson, whose module counts by Jetson Linux")
        .expected("libraries and module of one Jetson Linux")
        .read_from(node.modules.nvidia.is_known() ? node.modules.nvidia.source : "/etc/nv_tegra_release", "Tegra");
  if (node.userspace.image.is_known())
    result.add("platform.image-based-os")
        .saw("{}", node.userspace.image->kind)
        .expected("module and libraries of one image")
        .read_from(node.userspace.image.source, node.userspace.image->text);
  if (const auto messages = messages_of(node, {message_topic::vgpu_incompatible}); !messages.empty())
    add_reported(result, "platform.vgpu-driver-mixed", messages).expected("host and guest driver of one vGPU release");
}

const check_registration registration{
    {"platform_kind", "does the node follow rules of its own?", false, judge_platform_kind}};

} // namespace
} // namespace gpucert
