// SPDX-License-Identifier: Apache-2.0
// The stack report as JSON, both ways. Schema: results/schema/stack-1.schema.json.
#pragma once

#include "checks/stack_report.h"

#include <nlohmann/json.hpp>

namespace gpucert {

/// `exit` is what the verb that prints it will exit with.
nlohmann::ordered_json stack_to_json(const stack_report &report, int exit);

/// Throws nlohmann::json::exception when the document is not of the schema.
stack_report stack_from_json(const nlohmann::ordered_json &document);

} // namespace gpucert
