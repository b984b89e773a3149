// SPDX-License-Identifier: Apache-2.0
// What the package databases of a node say is installed: dpkg, rpm, pacman. One .cpp for each.
#pragma once

#include "node/driver_version.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// The states of dpkg, in its words. rpm and pacman know only `installed`.
enum class package_state {
  not_installed,
  config_files, // removed, its configuration is left
  half_installed,
  unpacked,
  half_configured,
  triggers_awaited,
  triggers_pending,
  installed,
};

/// dpkg's own word: "half-configured".
std::string_view to_string(package_state state);
std::optional<package_state> parse_package_state(std::string_view word);

struct installed_package {
  std::string name;
  std::optional<std::string> architecture;
  std::optional<package_version> version; // absent for a package that dpkg only knows by name
  package_state state = package_state::installed;
  bool is_held = false;
  bool needs_reinstall = false; // dpkg's reinst-required: its files cannot be trusted
  bool is_name_cut = false;     // `dpkg -l` on a narrow terminal: the name may be longer

  /// True when files of the package are on the disk. A package that is not installed still has a row in dpkg, and with
  /// `config_files` even a version.
  bool has_files() const { return state != package_state::not_installed && state != package_state::config_files; }
};

/// /var/lib/dpkg/status: stanzas of "Field: value", separated by a blank line; lines that begin with a blank continue
/// a field (and may hold "Version:" in a description). "Status: hold ok installed" is wish, error flag, state.
/// A stanza without name or state is left out.
std::vector<installed_package> parse_dpkg_status(std::string_view text);

/// `dpkg -l`, with or without its header. The first three characters are wish, state and error flag: "ii ", "hi ",
/// "iF ", "rc ", "iHR". Long names are cut where the output went to a narrow terminal; see is_name_cut.
std::vector<installed_package> parse_dpkg_list(std::string_view text);

/// One NAME-[EPOCH:]VERSION-RELEASE[.ARCH] as `rpm -qa` and dnf write it; yum wrote the epoch before the name.
/// Names hold dashes, dots and whole kernel releases (kmod-nvidia-5.14.0-570.el9_6-575.64.03-1.el9.x86_64), so it is
/// split from the right, and the architecture is one of a list: gpg-pubkey has none.
std::optional<installed_package> parse_rpm_package(std::string_view nevra);

/// `rpm -qa`. Lines with blanks are messages ("package x is not installed"), not packages.
std::vector<installed_package> parse_rpm_list(std::string_view text);

/// `pacman -Q`: name and version.
std::vector<installed_package> parse_pacman_list(std::string_view text);

} // namespace gpucert
