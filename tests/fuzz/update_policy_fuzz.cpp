// SPDX-License-Identifier: Apache-2.0
#include "node/update_policy.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_update_policy(std::string_view input) {
  ini_value(input, "commands", "apply_updates");
  ini_value(input, "", "exclude");
  parse_versionlock(input);
  parse_apt_preferences(input, "/etc/apt/preferences");
  is_read_by_apt(input, ".conf");
}

const fuzz_registration registration{
    {"update_policy",
     {"dnf/automatic.conf"},
     fuzz_update_policy,
     {"Package: nvidia-* libnvidia-*\nPin: version 535.*\nPin-Priority: 1001\n\nPackage: /cuda/\nPin: release "
      "o=NVIDIA\nPin-Priority: -1\n",
      "nvidia-driver-3:580.65.06-1.*\n!kernel-*\n", "version = \"1.0\"\n[[packages]]\nname = \"nvidia-driver\"\n"}}};

} // namespace
} // namespace gpucert
