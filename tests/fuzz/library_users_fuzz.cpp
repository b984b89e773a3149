// SPDX-License-Identifier: Apache-2.0
#include "node/library_users.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_library_users(std::string_view input) {
  driver_lines_of_maps(input);
  parse_library_user(4121, input);
}

const fuzz_registration registration{{"library_users", {"/maps"}, fuzz_library_users}};

} // namespace
} // namespace gpucert
