// SPDX-License-Identifier: Apache-2.0
#include "node/nvml_record.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_nvml_record(std::string_view input) { parse_nvml_record(input); }

const fuzz_registration registration{{"nvml_record", {"/nvml.json"}, fuzz_nvml_record}};

} // namespace
} // namespace gpucert
