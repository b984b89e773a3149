// SPDX-License-Identifier: Apache-2.0
// How much is run; a case states the lowest level that runs it.
#pragma once

#include <optional>
#include <string_view>

namespace gpucert {

enum class run_level { quick, standard, extended };

std::string_view name_of(run_level level);
std::optional<run_level> parse_run_level(std::string_view word);

} // namespace gpucert
