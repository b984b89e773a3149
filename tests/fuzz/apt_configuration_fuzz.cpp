// SPDX-License-Identifier: Apache-2.0
#include "node/update_policy.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_apt_configuration(std::string_view input) {
  apt_configuration configuration;
  configuration.add_file(input, "/etc/apt/apt.conf.d/50unattended-upgrades");
  configuration.value("APT::Periodic::Unattended-Upgrade");
  configuration.list("Unattended-Upgrade::Package-Blacklist");
}

const fuzz_registration registration{{"apt_configuration",
                                      {"apt.conf.d/50unattended-upgrades", "apt.conf.d/20auto-upgrades"},
                                      fuzz_apt_configuration,
                                      {"#clear Unattended-Upgrade::Package-Blacklist;\nUnattended-Upgrade { /* a */ "
                                       "Package-Blacklist { \"nvidia-\"; }; };\n"}}};

} // namespace
} // namespace gpucert
