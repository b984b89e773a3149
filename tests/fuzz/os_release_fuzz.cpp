// SPDX-License-Identifier: Apache-2.0
#include "node/platform.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_os_release(std::string_view input) { parse_os_release(input); }

const fuzz_registration registration{{"os_release", {"etc/os-release"}, fuzz_os_release}};

} // namespace
} // namespace gpucert
