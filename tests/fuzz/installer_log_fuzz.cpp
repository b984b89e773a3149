// SPDX-License-Identifier: Apache-2.0
#include "node/run_installer.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_installer_log(std::string_view input) { parse_installer_log(input); }

const fuzz_registration registration{{"installer_log", {"root/var/log/nvidia-installer.log"}, fuzz_installer_log}};

} // namespace
} // namespace gpucert
