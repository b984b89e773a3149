// SPDX-License-Identifier: Apache-2.0
// The manual pages of docs/manual, built into the program.
#pragma once

#include <string>
#include <string_view>

namespace gpucert {

/// The page of a verb, or of the program for "gpucert". Throws std::logic_error when there is none.
std::string_view manual_page(std::string_view name);

} // namespace gpucert
