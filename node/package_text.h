// SPDX-License-Identifier: Apache-2.0
// Words that all package tools write alike: lines, names with an architecture, versions.
#pragma once

#include "node/driver_version.h"
#include "node/text_lines.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// take_line() for `while` loops: absent when nothing is left.
std::optional<std::string_view> next_line(std::string_view &rest);

std::string_view without_blanks(std::string_view text);

/// "libnvidia-compute-535:amd64": dpkg and apt write the architecture behind a colon, and leave it away at will.
struct package_name {
  std::string name;
  std::optional<std::string> architecture;
};

/// Absent for what cannot be a package name, such as the "..." of a shortened listing.
std::optional<package_name> parse_package_name(std::string_view text);

/// Absent for what cannot be a version: "<none>", "...", "580..." and "580.126.09 -> 580.159.03", which people write
/// into logs that they shorten.
std::optional<package_version> parse_package_version(std::string_view text);

} // namespace gpucert
