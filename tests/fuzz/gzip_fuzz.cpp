// SPDX-License-Identifier: Apache-2.0
#include "node/gzip.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstdlib>

namespace gpucert {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;

void fuzz_gzip(std::string_view input) {
  inflate_gzip(input, most_bytes);
  if (inflate_gzip(deflate_gzip(input), most_bytes)->text != input)
    std::abort(); // a capture would not hold what was read
}

const fuzz_registration registration{{"gzip", {}, fuzz_gzip}};

} // namespace
} // namespace gpucert
