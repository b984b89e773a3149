// SPDX-License-Identifier: Apache-2.0
#include "node/fabric_manager.h"
#include "node/sandbox_runtimes.h"
#include "node/secure_boot.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_services(std::string_view input) {
  parse_unit_state(input);
  parse_sandbox_runtimes(input);
  parse_secure_boot(input);
}

const fuzz_registration registration{
    {"services",
     {"commands/systemctl_status_fabricmanager.txt", "commands/flatpak_list.txt", "commands/mokutil_sb_state.txt"},
     fuzz_services,
     {"ActiveState=inactive\nLoadState=not-found\n"}}};

} // namespace
} // namespace gpucert
