// SPDX-License-Identifier: Apache-2.0
#include "node/modinfo.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_modinfo(std::string_view input) {
  parse_modinfo(input);
  parse_modinfo_section(input);
}

const fuzz_registration registration{{"modinfo", {"commands/modinfo_nvidia.txt"}, fuzz_modinfo}};

} // namespace
} // namespace gpucert
