// SPDX-License-Identifier: Apache-2.0
// Finds the few lines of a long kernel log that may concern a GPU, without looking at the others one by one.
#pragma once

#include <string_view>

namespace gpucert {

/// Takes the text up to and including the next line that holds a mark, such as "NVRM" or "nvidia", and returns that
/// line. Empty, and nothing left, where there is none. A mark is short, so that some lines without interest pass.
std::string_view take_marked_line(std::string_view &rest);

} // namespace gpucert
