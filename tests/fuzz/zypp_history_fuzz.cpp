// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_zypp_history(std::string_view input) { parse_zypp_history(input, "history"); }

const fuzz_registration registration{
    {"zypp_history", {"var/log/zypp/history", "var/log/pacman.log"}, fuzz_zypp_history}};

} // namespace
} // namespace gpucert
