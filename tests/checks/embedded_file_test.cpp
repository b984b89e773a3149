// SPDX-License-Identifier: Apache-2.0
// Embedded texts arrive byte for byte, whatever CMake and C++ would like to make of them.
#include "cmake/embedded_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace gpucert {

namespace embedded_sample {
extern const std::vector<embedded_file> embedded_files;
}

namespace {

TEST(embedded_file, awkward_text_is_unchanged) {
  std::ifstream file(GPUCERT_SOURCE_DIR "/tests/checks/awkward_text.txt", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  ASSERT_EQ(embedded_sample::embedded_files.size(), 1U);
  EXPECT_EQ(embedded_sample::embedded_files.front().name, "awkward_text");
  EXPECT_EQ(embedded_sample::embedded_files.front().text, text);
}

} // namespace
} // namespace gpucert
