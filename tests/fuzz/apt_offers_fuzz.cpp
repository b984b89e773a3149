// SPDX-License-Identifier: Apache-2.0
#include "node/old_packages.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_apt_offers(std::string_view input) { parse_offers(input); }

const fuzz_registration registration{
    {"apt_offers",
     {},
     fuzz_apt_offers,
     {"nvidia-utils-535 535.161.07-0ubuntu0.22.04.1\nlibnvidia-compute-535 535.161.07-0ubuntu0.22.04.1\n"}}};

} // namespace
} // namespace gpucert
