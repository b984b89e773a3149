// SPDX-License-Identifier: Apache-2.0
#include "node/old_packages.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_apt_list(std::string_view input) {
  std::vector<obtainable_package> offers;
  parse_apt_list(input, "list", {*driver_release::parse("535.161.07")}, offers);
}

const fuzz_registration registration{{"apt_list", {"root/var/lib/dpkg/status"}, fuzz_apt_list}};

} // namespace
} // namespace gpucert
