// SPDX-License-Identifier: Apache-2.0
#include "node/ld_cache.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_ld_cache(std::string_view input) {
  parse_ld_cache(input);
  parse_ldconfig_list(input);
}

const fuzz_registration registration{{"ld_cache", {"commands/ldconfig_p.txt"}, fuzz_ld_cache}};

} // namespace
} // namespace gpucert
