// SPDX-License-Identifier: Apache-2.0
// The kernels on the disk, and which of them the next boot starts.
#pragma once

#include "node/package_database.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// A kernel or an initramfs in /boot.
struct boot_file {
  std::string path;
  bool is_default = false; // the boot loader starts it
};

/// The kernel that a reboot would start, and who says so.
struct next_kernel {
  std::string release; // as `uname -r` will print it
  std::string source;
  std::string why; // "the default entry of the boot loader"
  /// The newest folder of modules may belong to a kernel that was removed; all else is taken for sure.
  bool is_sure = true;
};

struct installed_kernels {
  fact<std::vector<std::string>> module_folders; // names below /lib/modules, in order of release
  fact<std::vector<boot_file>> boot_files;
  fact<std::string> grub_default; // GRUB_DEFAULT of /etc/default/grub
};

/// boot.list of a capture: one path a line, " *" behind the default entry.
std::vector<boot_file> parse_boot_list(std::string_view text);

/// The kernel release in the name of a kernel, an initramfs or a boot entry: vmlinuz-K, initrd.img-K, initramfs-K.img,
/// MACHINE-K.conf. Nothing for rescue images and for names without a release (Arch: vmlinuz-linux).
std::optional<std::string> kernel_in_boot_file(std::string_view path);

/// GRUB_DEFAULT out of /etc/default/grub, without quotes.
std::optional<std::string> parse_grub_default(std::string_view text);

/// The release in a menu entry of GRUB: "Advanced options for Ubuntu>Ubuntu, with Linux 5.15.0-105-generic", or the id
/// of a boot loader specification entry.
std::optional<std::string> kernel_in_menu_entry(std::string_view entry);

/// True when `a` is the older release, number by number: 5.15.0-99 < 5.15.0-105. GRUB and dracut order so.
bool is_older_kernel(std::string_view a, std::string_view b);

/// The kernel releases of installed kernel packages, of the managers that name them: dpkg (linux-image-K), rpm of the
/// Red Hat family (kernel-core), pacman (linux).
std::vector<std::string> kernels_of_packages(const std::vector<installed_package> &packages);

/// Reads names only. On a live node the default entry is taken from GRUB's environment or from systemd-boot's entries.
installed_kernels read_installed_kernels(host &node);

/// The default entry where one is known, else the newest kernel: boot loaders take that one unless told otherwise.
/// `running` counts as installed unless its modules were removed. Nothing where nobody can tell.
std::optional<next_kernel> find_next_kernel(const installed_kernels &kernels,
                                            const fact<std::vector<installed_package>> &packages,
                                            const fact<std::string> &running);

} // namespace gpucert
