// SPDX-License-Identifier: Apache-2.0
// Which packages are parts of the NVIDIA driver, and what their names and versions say of it.
//
// The set is the packages that one driver build makes, which must all have one release. Not in it, although built by
// NVIDIA for the driver: nvidia-settings, nvidia-xconfig, nvidia-modprobe, nvidia-persistenced and libXNVCtrl. They are
// sources of their own that work with any release, and healthy nodes run old ones (Ubuntu shipped nvidia-settings 510
// beside driver 535), so taking them in would make mismatches out of nothing. So would libnvidia-egl-wayland (1.1.13),
// the container toolkit (1.17), nvidia-cuda-toolkit (12.4), and the firmware and kernels named "nvidia" of nouveau and
// DGX.
#pragma once

#include "node/driver_version.h"
#include "node/package_database.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

enum class driver_part {
  userspace,      // libraries and tools
  kernel_module,  // modules built for one kernel
  module_source,  // what DKMS and akmods build modules from
  firmware,       // GSP firmware; its package often has the release in its name
  fabric_manager, // Fabric Manager and NSCQ: of the driver's release, but installed and updated by themselves
  metapackage,    // carries the release, and no driver files
};

std::string_view to_string(driver_part part);

/// By name, over Ubuntu, Debian, NVIDIA's own repositories, RPM Fusion, negativo17, ELRepo, SUSE and Arch.
/// Two names mean different things in different distributions, and are taken as `metapackage`: nvidia-driver (RPM:
/// with X driver inside) and nvidia-open (Arch: the modules).
std::optional<driver_part> classify_driver_package(std::string_view name);

/// The driver release in the version of a driver package. The name does not count: transitional packages keep an old
/// branch in it (nvidia-driver-460 with 470.161.03). Absent for all that is no driver package, and for Ubuntu's
/// linux-modules-nvidia-*, whose version is that of the kernel. Says nothing of the state: see has_files().
std::optional<driver_release> driver_release_of(const installed_package &package);
std::optional<driver_release> driver_release_of(std::string_view name, const package_version &version);

/// The kernel that a module package was built for, as far as the package states it:
///   linux-modules-nvidia-580-open-6.14.0-36-generic        6.14.0-36-generic
///   kmod-nvidia-5.14.0-570.el9_6                           5.14.0-570.el9_6
///   kmod-nvidia-515.48.07-4.18.0-372.9.1                   4.18.0-372.9.1       (NVIDIA's precompiled)
///   nvidia-driver-G06-kmp-default 550.100_k6.9.7_1-25.1    6.9.7-1-default      (from the version)
/// Only Ubuntu's and SUSE's is a whole `uname -r`. Red Hat's lacks the architecture, and holds for all kernels of one
/// kABI, so it must not be compared for equality. Absent where the name has no kernel (linux-modules-nvidia-580-generic
/// follows the newest).
std::optional<std::string> kernel_release_of_module_package(const installed_package &package);

} // namespace gpucert
