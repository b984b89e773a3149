// SPDX-License-Identifier: Apache-2.0
#include "harness/case_lines.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_case_lines(std::string_view input) { parse_case_lines(input); }

const fuzz_registration registration{{"case_lines", {"/nvml.json"}, fuzz_case_lines}};

} // namespace
} // namespace gpucert
