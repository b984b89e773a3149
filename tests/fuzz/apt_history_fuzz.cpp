// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_apt_history(std::string_view input) { group_transactions(parse_apt_history(input, "history.log")); }

const fuzz_registration registration{{"apt_history", {"var/log/apt/history.log"}, fuzz_apt_history}};

} // namespace
} // namespace gpucert
