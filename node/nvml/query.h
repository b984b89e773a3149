// SPDX-License-Identifier: Apache-2.0
// What NVML is asked, and the JSON of its answers.
//
// To ask one more thing: add a line to the table of its topic (identity.cpp, memory.cpp, link.cpp, clocks.cpp,
// modes.cpp; fields.cpp for nvmlDeviceGetFieldValues). A table's line names the function of abi.h and, as in nvml.h,
// the parameters or members. answer_forms.h has the forms for the usual kinds of function.
#pragma once

#include "node/nvml/library.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <vector>

namespace gpucert {

using ordered_json = nlohmann::ordered_json;

/// Whom a query asks.
struct nvml_scope {
  const nvml_library &library;
  nvml_abi::device device = nullptr; // null in questions to the system
  unsigned index = 0;                // of the device
};

/// Asks one function and enters its answer under the exported name; enters nothing when the library lacks the function.
using nvml_query = std::function<void(const nvml_scope &, ordered_json &functions)>;
using nvml_queries = std::vector<nvml_query>;

// One table for each topic.
nvml_queries nvml_version_queries(); // asked even when nvmlInit failed
nvml_queries nvml_system_queries();
nvml_queries nvml_identity_queries();
nvml_queries nvml_memory_queries();
nvml_queries nvml_link_queries();
nvml_queries nvml_clock_queries();
nvml_queries nvml_mode_queries();

/// A field of nvmlDeviceGetFieldValues, with its name in nvml.h.
struct nvml_field {
  const char *name;
  unsigned id;
};

std::span<const nvml_field> nvml_fields();

/// The answers to all of nvml_fields() by name; empty when the library lacks the function.
ordered_json read_nvml_fields(const nvml_scope &scope);

/// Initialises the library, asks everything, and gives the document nvml.json. A return code is an answer: nothing that
/// NVML says is an error here. Leaves the library initialised, since a shutdown may hang on a lost GPU: the caller
/// prints first.
ordered_json read_nvml(const nvml_library &library);

/// nvml.json of a node whose library cannot be loaded.
ordered_json nvml_without_library();

} // namespace gpucert
