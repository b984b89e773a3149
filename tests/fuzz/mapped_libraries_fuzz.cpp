// SPDX-License-Identifier: Apache-2.0
#include "harness/loaded_libraries.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_mapped_libraries(std::string_view input) { parse_mapped_libraries(input); }

const fuzz_registration registration{{"mapped_libraries", {"/maps"}, fuzz_mapped_libraries}};

} // namespace
} // namespace gpucert
