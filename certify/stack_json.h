// SPDX-License-Identifier: Apache-2.0
// The stack report as JSON, both ways. Schema: results/schema/stack-1.schema.json.
#pragma once

#include "checks/stack_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string_view>

namespace gpucert {

/// `exit` is what the verb that prints it will exit with.
nlohmann::ordered_json stack_to_json(const stack_report &report, int exit);

/// A word that the schema does not list, as a newer version may write.
struct unknown_word : std::runtime_error {
  unknown_word(std::string_view field, std::string_view word)
      : std::runtime_error(fmt::format("{} '{:.60}'", field, word)) {}
};

/// Throws nlohmann::json::exception or unknown_word when the document is not of the schema.
stack_report stack_from_json(const nlohmann::ordered_json &document);

} // namespace gpucert
