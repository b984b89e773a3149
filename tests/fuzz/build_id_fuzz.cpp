// SPDX-License-Identifier: Apache-2.0
#include "harness/elf_build_id.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_build_id(std::string_view input) { parse_build_id(input); }

const fuzz_registration registration{{"build_id", {}, fuzz_build_id}};

} // namespace
} // namespace gpucert
