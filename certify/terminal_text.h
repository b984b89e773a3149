// SPDX-License-Identifier: Apache-2.0
// Text that comes from a node, from a file or from a command line, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace gpucert {

/// One line that does nothing to a terminal: control characters (escape sequences and line ends among them), marks that
/// change the direction of writing, and bytes that are no UTF-8 are written out, as \x1b or \u202e. A tab becomes a
/// blank.
std::string escape_for_terminal(std::string_view text);

} // namespace gpucert
