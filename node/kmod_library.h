// SPDX-License-Identifier: Apache-2.0
// libkmod, opened at run time: gpucert must start on a node that lacks it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// Describes one module of one kernel, as modinfo would print it.
/// Nothing when libkmod cannot be opened; an empty text when the kernel has no such module.
/// `modules_folder` is a path in our file system, such as /lib/modules/5.15.0-105-generic.
std::optional<std::string> describe_module_with_libkmod(const std::string &modules_folder, const std::string &name);

} // namespace gpucert
