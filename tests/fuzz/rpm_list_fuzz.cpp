// SPDX-License-Identifier: Apache-2.0
#include "node/package_database.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_rpm_list(std::string_view input) { parse_rpm_list(input); }

const fuzz_registration registration{{"rpm_list", {"commands/rpm_qa.txt"}, fuzz_rpm_list}};

} // namespace
} // namespace gpucert
