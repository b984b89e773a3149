// SPDX-License-Identifier: Apache-2.0
#include "node/sessions.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_sessions(std::string_view input) {
  const std::chrono::local_seconds near{std::chrono::seconds{1718174463}};
  parse_last(input, near);
  describe_wtmp(input, std::nullopt);
}

const fuzz_registration registration{{"sessions", {"commands/last.txt"}, fuzz_sessions}};

} // namespace
} // namespace gpucert
