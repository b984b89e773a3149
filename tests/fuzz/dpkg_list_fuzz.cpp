// SPDX-License-Identifier: Apache-2.0
#include "node/package_database.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_dpkg_list(std::string_view input) { parse_dpkg_list(input); }

const fuzz_registration registration{{"dpkg_list", {"commands/dpkg_l.txt"}, fuzz_dpkg_list}};

} // namespace
} // namespace gpucert
