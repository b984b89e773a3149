// SPDX-License-Identifier: Apache-2.0
#include "node/name_pattern.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <string>

namespace gpucert {
namespace {

void fuzz_name_pattern(std::string_view input) {
  const auto end = std::min(input.find('\n'), input.size());
  const std::string_view pattern = input.substr(0, end);
  const std::string_view name = input.substr(std::min(end + 1, input.size()));
  for (const auto how : {name_pattern::letters::as_written, name_pattern::letters::either_case})
    name_pattern(pattern, how).matches(name);
  matches_glob(std::string(pattern), std::string(name));
}

const fuzz_registration registration{
    {"name_pattern",
     {},
     fuzz_name_pattern,
     {"^nvidia-.*-(535|550)$\nnvidia-driver-535", "(a*)*b\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "*nvidia[!a-z]*?\nlibnvidia-compute-535"}}};

} // namespace
} // namespace gpucert
