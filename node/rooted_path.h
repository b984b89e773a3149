// SPDX-License-Identifier: Apache-2.0
// Paths below a root folder that is not ours: links are followed inside it and never lead out of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// The target of one link as it is written. Nothing when the path is no link.
std::optional<std::string> read_link_inside(const std::string &root, std::string_view path);

/// Where `path` leads after all links, as a path below `root` ("" is the root of the machine): absolute links start
/// again at the root, and ".." stops there. Nothing when it leads nowhere, or in a circle.
std::optional<std::string> resolve_inside(const std::string &root, std::string_view path);

} // namespace gpucert
