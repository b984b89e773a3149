// SPDX-License-Identifier: Apache-2.0
#include "node/loaded_modules.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_loaded_module(std::string_view input) {
  parse_loaded_module(input);
  parse_module_names(input);
}

const fuzz_registration registration{
    {"loaded_module", {"proc/driver/nvidia/version", "proc/modules"}, fuzz_loaded_module}};

} // namespace
} // namespace gpucert
