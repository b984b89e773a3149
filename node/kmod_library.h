// SPDX-License-Identifier: Apache-2.0
// libkmod, opened at run time: gpucert must start on a node that lacks it.
#pragma once

#include <optional>
#include <string>

namespace gpucert {

/// The file of one module of one kernel, as the kernel's index names it; it may be a link.
/// Nothing when libkmod cannot be opened; an empty path when the index has no such module, or when there is no index.
/// `modules_folder` is a path in our file system, such as /lib/modules/5.15.0-105-generic.
std::optional<std::string> find_module_with_libkmod(const std::string &modules_folder, const std::string &name);

/// Describes one module file, compressed or not, as modinfo would print it. Nothing when it cannot be read, or when
/// libkmod cannot be opened.
std::optional<std::string> describe_module_with_libkmod(const std::string &file);

} // namespace gpucert
