// SPDX-License-Identifier: Apache-2.0
// The acceptance record and its verdicts as JSON, both ways. Schema: results/schema/report-1.schema.json.
#pragma once

#include "certify/acceptance_record.h"
#include "certify/verdict.h"

#include <nlohmann/json.hpp>

namespace gpucert {

nlohmann::ordered_json acceptance_to_json(const acceptance_record &record);
nlohmann::ordered_json verdicts_to_json(const verdicts &drawn);

/// Throw nlohmann::json::exception when the document is not of the schema, unreadable_input for an unknown word.
acceptance_record acceptance_from_json(const nlohmann::ordered_json &document);
verdicts verdicts_from_json(const nlohmann::ordered_json &document);

} // namespace gpucert
