// SPDX-License-Identifier: Apache-2.0
// The two JSON files of the catalogue as structs. Keys are checked here; what refers to what is checked by catalogue.
#pragma once

#include "checks/catalogue.h"

#include <string_view>
#include <vector>

namespace gpucert {

/// Both throw catalogue_error for text that is no JSON, for an unknown, missing or mistyped key, and for an empty list.
std::vector<finding_definition> parse_findings(std::string_view json_text);
std::vector<action_definition> parse_actions(std::string_view json_text);

} // namespace gpucert
