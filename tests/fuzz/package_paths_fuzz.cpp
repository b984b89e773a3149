// SPDX-License-Identifier: Apache-2.0
#include "node/old_packages.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_package_paths(std::string_view input) { parse_package_paths(input); }

const fuzz_registration registration{{"package_paths", {"commands/cached_packages.txt"}, fuzz_package_paths}};

} // namespace
} // namespace gpucert
