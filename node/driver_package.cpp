// SPDX-License-Identifier: Apache-2.0
#include "node/driver_package.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

namespace gpucert {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True when `name` is of the form `pattern`: '#' stands for one or more digits, '*' for anything, also for nothing.
/// Only the last '*' is ever tried again, so a long name costs its length times that of the pattern.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = pattern.npos, star_name = 0;
  for (;;) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && pattern[p] == '#' && n < name.size() && is_digit(name[n])) {
      while (n < name.size() && is_digit(name[n]))
        ++n;
      ++p;
    } else if (p < pattern.size() && n < name.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (p == pattern.size() && n == name.size()) {
      return true;
    } else if (star != pattern.npos && star_name < name.size()) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
}

struct name_rule {
  std::string_view pattern;
  std::optional<driver_part> part; // absent: looks like the driver, and is not
};

using enum driver_part;

// The first match counts.
constexpr name_rule name_rules[] = {
    // Of another project: see the top of driver_package.h.
    {"libnvidia-container*", std::nullopt},
    {"libnvidia-egl-*", std::nullopt},  // wayland, gbm, xcb, xlib
    {"libnvidia-ml-dev", std::nullopt}, // of Debian's nvidia-cuda-toolkit

    // NVSwitch; "fabric-manager" in RPMs before 2023.
    {"nvidia-fabricmanager*", fabric_manager},
    {"nvidia-fabric-manager*", fabric_manager},
    {"cuda-drivers-fabricmanager*", fabric_manager},
    {"libnvidia-nscq*", fabric_manager},
    {"libnvsdm*", fabric_manager},

    // SUSE: G04 ... G07 is the driver generation.
    {"nvidia-*G0#*kmp-*", kernel_module},
    {"kernel-firmware-nvidia-gsp*", firmware}, // kernel-firmware-nvidia is nouveau's
    {"nvidia-common-G0#", firmware},
    {"nvidia-drivers*G0#*", metapackage},
    {"nvidia-userspace-meta-G0#*", metapackage},
    {"nvidia-compute*G0#*", userspace},
    {"nvidia-video*G0#*", userspace},
    {"nvidia-gl*G0#*", userspace},
    {"x11-video-nvidia*G0#*", userspace},

    // Modules for one kernel. A name that ends in a flavour (…-580-generic) only follows the newest kernel; see
    // classify_driver_package. linux-modules-nvidia-fs is GPUDirect Storage.
    {"linux-modules-nvidia-#*", kernel_module},
    {"linux-objects-nvidia-#*", kernel_module},
    {"linux-signatures-nvidia-#*", kernel_module},
    {"kmod-nvidia*dkms*", module_source},
    {"kmod-nvidia-fs*", std::nullopt},
    {"kmod-nvidia*", kernel_module},
    {"nvidia", kernel_module}, // Arch, and for its other kernels:
    {"nvidia-lts", kernel_module},
    {"nvidia-open-lts", kernel_module},
    {"nvidia-#xx", kernel_module},
    {"linux#-nvidia*", kernel_module}, // Manjaro

    // Sources of modules.
    {"nvidia-dkms", module_source},
    {"nvidia-dkms-#*", module_source},
    {"nvidia-open-dkms", module_source},
    {"dkms-nvidia*", module_source},
    {"akmod-nvidia*", module_source},
    {"xorg-x11-drv-nvidia*-kmodsrc", module_source},
    {"nvidia-kernel-source", module_source},
    {"nvidia-kernel-source-#*", module_source},
    {"nvidia-kernel-dkms", module_source},
    {"nvidia-kernel-open-dkms", module_source},
    {"nvidia-open-kernel-dkms", module_source},
    {"nvidia-open-kernel-source", module_source},

    // Firmware. nvidia-gpu-firmware (Fedora) and firmware-nvidia-graphics (Debian) are nouveau's.
    {"nvidia-firmware", firmware},
    {"nvidia-firmware-#*", firmware},
    {"firmware-nvidia-gsp", firmware},
    {"firmware-nvidia-gsp-#*", firmware},
    {"nvidia-kmod-common", firmware},

    // Metapackages. nvidia-driver-pinning, -assistant and -local-repo have a driver's name and no driver inside, so
    // nvidia-driver takes no open end.
    {"cuda-drivers", metapackage},
    {"cuda-drivers-#*", metapackage},
    {"nvidia-open", metapackage},
    {"nvidia-open-#*", metapackage},
    {"nvidia-driver", metapackage},
    {"nvidia-driver-full", metapackage},
    {"nvidia-driver-#*", metapackage},
    {"nvidia-headless", metapackage},
    {"nvidia-headless-#*", metapackage},
    {"nvidia-headless-no-dkms-#*", metapackage},

    // Libraries and tools.
    {"libnvidia-*", userspace},
    {"libcuda1*", userspace},
    {"libcudadebugger1*", userspace},
    {"libnvcuvid1*", userspace},
    {"libnvoptix1*", userspace},
    {"libgl1-nvidia*", userspace},
    {"libglx-nvidia0*", userspace},
    {"libegl-nvidia0*", userspace},
    {"libgles-nvidia#*", userspace},
    {"nvidia-smi", userspace},
    {"nvidia-alternative", userspace},
    {"nvidia-vdpau-driver", userspace},
    {"nvidia-vulkan-icd", userspace},
    {"nvidia-egl-icd", userspace},
    {"nvidia-opencl-icd*", userspace},
    {"nvidia-cuda-mps", userspace},
    {"nvidia-kernel-support", userspace},
    {"nvidia-kernel-common-#*", userspace}, // Debian's has no number, and the version 20151021
    {"xserver-xorg-video-nvidia", userspace},
    {"xserver-xorg-video-nvidia-#*", userspace},
    {"xorg-x11-drv-nvidia*", userspace},
    {"nvidia-x11-drv*", userspace},
    {"nvidia-driver-libs*", userspace},
    {"nvidia-driver-cuda*", userspace},
    {"nvidia-driver-bin", userspace},
    {"nvidia-driver-devel", userspace},
    {"nvidia-driver-NVML", userspace},
    {"nvidia-driver-NvFBCOpenGL", userspace},
    {"nvidia-driver-latest*", userspace},
    {"nvidia-driver-branch-#*", userspace},
    {"nvidia-compute-utils-#*", userspace},
    {"nvidia-utils", userspace},
    {"nvidia-utils-#*", userspace},
    {"nvidia-libs", userspace}, // Void
    {"opencl-nvidia*", userspace},
    {"nvidia-linux-grid-#", userspace}, // vGPU guests: the whole driver in one package
    {"nvidia-#", userspace},            // Ubuntu before 18.04: the same
};

/// A name without what marks an old branch: Debian's nvidia-tesla-470-driver and nvidia-legacy-390xx-driver, Arch's
/// nvidia-470xx-dkms, and lib32-.
std::string without_branch_marks(std::string_view name) {
  constexpr std::string_view word = "nvidia-";
  if (name.starts_with("lib32-"))
    name.remove_prefix(std::string_view{"lib32-"}.size());
  const std::size_t at = name.find(word);
  if (at == name.npos)
    return std::string{name};
  const std::size_t head = at + word.size();
  std::string_view rest = name.substr(head);
  bool is_old_branch = false;
  for (const std::string_view mark : {"tesla-", "legacy-"})
    if (rest.starts_with(mark)) {
      rest.remove_prefix(mark.size());
      is_old_branch = true;
    }
  const std::size_t number = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const std::string_view tail = rest.substr(number);
  if (number > 0 && tail.starts_with("xx-"))
    rest = tail.substr(3);
  else if (number > 0 && is_old_branch && tail.starts_with('-'))
    rest = tail.substr(1);
  return std::string{name.substr(0, head)}.append(rest);
}

bool follows_ubuntu_kernel(std::string_view name) {
  return name.starts_with("linux-modules-nvidia-") || name.starts_with("linux-objects-nvidia-") ||
         name.starts_with("linux-signatures-nvidia-");
}

/// Drops the first part of "580-open-6.14.0-36-generic"; false where it has no dash.
bool drop_segment(std::string_view &name) {
  const std::size_t dash = name.find('-');
  if (dash == name.npos)
    return false;
  name.remove_prefix(dash + 1);
  return true;
}

/// True for what comes before the kernel in a name: branch, flavour, or a driver release.
bool is_driver_segment(std::string_view segment) {
  if (segment == "server" || segment == "open" || matches("#", segment) || matches("#xx", segment))
    return true;
  const auto release = driver_release::parse(segment);
  return release && release->branch() >= 100; // kernels have not come to version 100
}

std::optional<std::string> kernel_in_name(std::string_view name) {
  for (const std::string_view prefix :
       {"linux-modules-nvidia-", "linux-objects-nvidia-", "linux-signatures-nvidia-", "kmod-nvidia-"}) {
    if (!name.starts_with(prefix))
      continue;
    std::string_view rest = name.substr(prefix.size());
    while (is_driver_segment(rest.substr(0, rest.find('-'))))
      if (!drop_segment(rest))
        return std::nullopt;
    if (matches("#.#*-#*", rest))
      return std::string{rest};
  }
  return std::nullopt;
}

/// "550.100_k6.9.7_1-25.1": a kernel module package of SUSE has its kernel behind "_k", with _ for -.
std::optional<std::string> kernel_in_kmp_version(std::string_view name, std::string_view version) {
  constexpr std::string_view kmp = "-kmp-";
  const std::size_t flavour = name.find(kmp);
  const std::size_t mark = version.find("_k");
  if (flavour == name.npos || mark == version.npos)
    return std::nullopt;
  std::string kernel{version.substr(mark + 2)};
  kernel.resize(std::min(kernel.find('-'), kernel.size()));
  if (!matches("#.#*", kernel))
    return std::nullopt;
  std::replace(kernel.begin(), kernel.end(), '_', '-');
  return kernel.append("-").append(name.substr(flavour + kmp.size()));
}

} // namespace

std::string_view to_string(driver_part part) {
  constexpr std::array<std::string_view, 6> words{"userspace", "kernel module",  "module source",
                                                  "firmware",  "fabric manager", "metapackage"};
  return words[static_cast<std::size_t>(part)];
}

namespace {

/// Every name of a driver package holds one of these, and few others of a node's thousands do.
constexpr bool may_be_of_driver(std::string_view name) {
  return name.find("nv") != name.npos || name.find("cuda") != name.npos;
}
static_assert(std::all_of(std::begin(name_rules), std::end(name_rules),
                          [](const name_rule &rule) { return may_be_of_driver(rule.pattern); }));

} // namespace

std::optional<driver_part> classify_driver_package(std::string_view name) {
  if (!may_be_of_driver(name))
    return std::nullopt;
  const std::string plain = without_branch_marks(name);
  for (const name_rule &rule : name_rules) {
    if (!matches(rule.pattern, plain))
      continue;
    if (follows_ubuntu_kernel(plain) && !kernel_in_name(plain))
      return metapackage;
    return rule.part;
  }
  return std::nullopt;
}

std::optional<driver_release> driver_release_of(std::string_view name, const package_version &version) {
  if (!classify_driver_package(name))
    return std::nullopt;
  const auto release = version.release();
  // Drivers have had three digits in front since 2007. Less is the version of a kernel (linux-modules-nvidia-*) or of a
  // package that only wraps something.
  if (!release || release->branch() < 100)
    return std::nullopt;
  return release;
}

std::optional<driver_release> driver_release_of(const installed_package &package) {
  if (!package.version)
    return std::nullopt;
  return driver_release_of(package.name, *package.version);
}

std::optional<std::string> kernel_release_of_module_package(const installed_package &package) {
  if (classify_driver_package(package.name) != kernel_module)
    return std::nullopt;
  if (auto kernel = kernel_in_name(package.name))
    return kernel;
  if (!package.version)
    return std::nullopt;
  return kernel_in_kmp_version(package.name, package.version->text);
}

} // namespace gpucert
