// SPDX-License-Identifier: Apache-2.0
// Paths below a root folder that is not ours: links are followed inside it and never lead out of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// The target of one link as it is written. Nothing when the path is no link.
std::optional<std::string> read_link_inside(const std::string &root, std::string_view path);

/// Where a path leads, or why nobody can follow it.
struct resolution {
  std::optional<std::string> path;
  int error = 0; // errno: ENOENT and ENOTDIR say that there is no such file, all others that it cannot be known
};

/// Where `path` leads after all links, as a path below `root` ("" is the root of the machine): absolute links start
/// again at the root, and ".." stops there.
resolution follow_inside(const std::string &root, std::string_view path);

/// The same without the reason: nothing when it leads nowhere, in a circle, or where we may not look.
std::optional<std::string> resolve_inside(const std::string &root, std::string_view path);

} // namespace gpucert
