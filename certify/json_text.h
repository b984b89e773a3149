// SPDX-License-Identifier: Apache-2.0
// JSON documents as text.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace gpucert {

/// Indented, with a line end. What a node calls text may not be UTF-8: each wrong byte becomes U+FFFD.
inline std::string json_text(const nlohmann::ordered_json &document) {
  return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace gpucert
