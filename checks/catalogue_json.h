// SPDX-License-Identifier: Apache-2.0
// The two JSON files of the catalogue as structs. Keys are checked here; what refers to what is checked by catalogue.
#pragma once

#include "checks/catalogue.h"

#include <string_view>
#include <vector>

namespace gpucert {

/// The text is JSON, or the same document in CBOR, as which it is built in. Both throw catalogue_error for what is
/// neither, for an unknown, missing or mistyped key, and for an empty list.
std::vector<finding_definition> parse_findings(std::string_view text);
std::vector<action_definition> parse_actions(std::string_view text);

} // namespace gpucert
