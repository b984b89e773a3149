// SPDX-License-Identifier: Apache-2.0
#include "node/package_database.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_pacman_list(std::string_view input) { parse_pacman_list(input); }

const fuzz_registration registration{{"pacman_list", {"commands/rpm_qa.txt"}, fuzz_pacman_list}};

} // namespace
} // namespace gpucert
