// SPDX-License-Identifier: Apache-2.0
// Messages of NVRM that are read word by word, since releases and names stand in them.
#pragma once

#include "node/kernel_log.h"

#include <optional>
#include <string_view>

namespace gpucert {

/// Of the whole statement, its lines joined: "NVRM: API mismatch: the client has the version ...".
std::optional<api_mismatch> parse_api_mismatch(std::string_view statement);

std::optional<other_driver_report> parse_other_driver(std::string_view message);

} // namespace gpucert
