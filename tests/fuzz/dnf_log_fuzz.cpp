// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_dnf_log(std::string_view input) { parse_dnf_log(input, "dnf.rpm.log"); }

const fuzz_registration registration{
    {"dnf_log", {"var/log/dnf.rpm.log", "symptoms/dnf_output.txt", "var/log/pacman.log"}, fuzz_dnf_log}};

} // namespace
} // namespace gpucert
