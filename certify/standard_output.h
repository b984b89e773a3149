// SPDX-License-Identifier: Apache-2.0
// Writing to standard output so that a full disk or a closed pipe is noticed.
#pragma once

#include <string_view>

namespace gpucert {

/// Writes all of `text`. Throws unreadable_input when it cannot be written.
void print(std::string_view text);

} // namespace gpucert
