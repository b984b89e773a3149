// SPDX-License-Identifier: Apache-2.0
#include "node/package_database.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_dpkg_status(std::string_view input) { parse_dpkg_status(input); }

const fuzz_registration registration{{"dpkg_status", {"var/lib/dpkg/status"}, fuzz_dpkg_status}};

} // namespace
} // namespace gpucert
