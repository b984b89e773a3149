// SPDX-License-Identifier: Apache-2.0
#include "node/module_blacklist.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_module_blacklist(std::string_view input) {
  keeps_nouveau_away(input);
  command_line_keeps_nouveau_away(input);
}

const fuzz_registration registration{{"module_blacklist", {"root/proc/cmdline"}, fuzz_module_blacklist}};

} // namespace
} // namespace gpucert
