// SPDX-License-Identifier: Apache-2.0
// Where packages of an earlier release of the driver can still be had: files that package managers keep, and what apt's
// repositories offer.
#pragma once

#include "node/package_history.h"
#include "node/reading.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// A package of the driver that is not installed.
struct obtainable_package {
  std::string name;
  package_version version;
  std::string where; // the file, or the list of apt that offers it
};

struct old_packages {
  fact<std::vector<obtainable_package>> kept;    // in the caches of apt, dnf and pacman
  fact<std::vector<obtainable_package>> offered; // by apt's repositories
};

/// One path a line; packages of the driver alone are kept. NAME_VERSION_ARCH.deb (':' is "%3a"),
/// NAME-VERSION-RELEASE.ARCH.rpm, NAME-VERSION-RELEASE-ARCH.pkg.tar.zst.
std::vector<obtainable_package> parse_package_paths(std::string_view text);

/// A list of apt: stanzas with "Package:" and "Version:". Packages of the driver whose release is wanted are kept.
void parse_apt_list(std::string_view text, std::string_view source, const std::set<driver_release> &wanted,
                    std::vector<obtainable_package> &offered);

/// One "NAME VERSION WHERE" a line, as a capture keeps what apt offers.
std::vector<obtainable_package> parse_offers(std::string_view text);

/// Names in cache folders; and, if `may_read_lists`, apt's lists, which have some fifty MB, for the releases that
/// `history` knows from before.
old_packages read_old_packages(host &node, const fact<std::vector<package_transaction>> &history, bool may_read_lists);

} // namespace gpucert
