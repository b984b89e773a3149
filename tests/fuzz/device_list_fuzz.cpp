// SPDX-License-Identifier: Apache-2.0
#include "node/device_files.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_device_list(std::string_view input) { parse_device_list(input); }

const fuzz_registration registration{{"device_list", {"root/dev.list"}, fuzz_device_list}};

} // namespace
} // namespace gpucert
