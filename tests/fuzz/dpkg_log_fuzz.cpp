// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_dpkg_log(std::string_view input) {
  parse_dpkg_log(input, "dpkg.log");
  parse_dpkg_log_states(input);
}

const fuzz_registration registration{{"dpkg_log", {"var/log/dpkg.log", "var/log/apt/history.log"}, fuzz_dpkg_log}};

} // namespace
} // namespace gpucert
