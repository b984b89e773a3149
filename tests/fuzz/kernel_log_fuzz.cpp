// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_log.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_kernel_log(std::string_view input) { parse_kernel_log(input); }

const fuzz_registration registration{
    {"kernel_log", {"commands/dmesg.txt", "commands/journal_kernel.txt"}, fuzz_kernel_log}};

} // namespace
} // namespace gpucert
