// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_pacman_log(std::string_view input) { parse_pacman_log(input, "pacman.log"); }

const fuzz_registration registration{{"pacman_log", {"var/log/pacman.log"}, fuzz_pacman_log}};

} // namespace
} // namespace gpucert
