// SPDX-License-Identifier: Apache-2.0
#include "node/driver_libraries.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_library_links(std::string_view input) {
  parse_recorded_links(input);
  parse_library_release(input);
}

const fuzz_registration registration{{"library_links", {"commands/readlink.txt"}, fuzz_library_links}};

} // namespace
} // namespace gpucert
