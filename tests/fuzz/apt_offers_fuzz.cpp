// SPDX-License-Identifier: Apache-2.0
#include "node/old_packages.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_apt_offers(std::string_view input) { parse_offers(input); }

const fuzz_registration registration{{"apt_offers", {"commands/apt_offers.txt"}, fuzz_apt_offers}};

} // namespace
} // namespace gpucert
