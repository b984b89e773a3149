// SPDX-License-Identifier: Apache-2.0
// The table of errors against the toolkit's header.
#include <gtest/gtest.h>

#include <charconv>
#include <cuda_runtime_api.h>
#include <fstream>
#include <string>

namespace {

/// "    cudaErrorInvalidValue                 =     1," of driver_types.h.
struct header_line {
  std::string name;
  int number = -1;
};
header_line parse_enumerator(const std::string &line) {
  const auto start = line.find_first_not_of(' ');
  const auto equals = line.find('=');
  if (start == line.npos || equals == line.npos ||
      (line.compare(start, 9, "cudaError") != 0 && line.compare(start, 11, "cudaSuccess") != 0))
    return {};
  header_line parsed;
  parsed.name = line.substr(start, line.find_first_of(" =", start) - start);
  const auto digit = line.find_first_not_of(' ', equals + 1);
  std::from_chars(line.data() + digit, line.data() + line.size(), parsed.number);
  return parsed;
}

TEST(error_table, has_the_names_of_the_header) {
  std::ifstream header(GPUCERT_DRIVER_TYPES_H);
  int compared = 0;
  for (std::string line; std::getline(header, line);) {
    const header_line expected = parse_enumerator(line);
    if (expected.name.empty() || expected.number < 0 || expected.name == "cudaErrorApiFailureBase")
      continue;
    EXPECT_EQ(cudaGetErrorName(static_cast<cudaError_t>(expected.number)), expected.name);
    ++compared;
  }
  EXPECT_GT(compared, 100); // CUDA 11.8 has 120
}

TEST(error_table, knows_no_other_numbers) {
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

} // namespace
