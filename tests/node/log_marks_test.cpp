// SPDX-License-Identifier: Apache-2.0
#include "node/log_marks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gpucert {
namespace {

std::vector<std::string> marked_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty())
    if (const std::string_view line = take_marked_line(text); !line.empty())
      lines.emplace_back(line);
  return lines;
}

TEST(log_marks, are_found_wherever_they_stand) {
  for (std::size_t before = 0; before < 200; ++before) // strides end before, in and behind the mark
    for (const std::size_t behind : {0U, 1U, 2U, 70U}) {
      const std::string line = fmt::format("{}NVRM: x{}", std::string(before, '.'), std::string(behind, '.'));
      EXPECT_EQ(marked_lines(line), std::vector<std::string>{line}) << before << " " << behind;
      EXPECT_EQ(marked_lines("a\nb\n" + line + "\nc\n"), std::vector<std::string>{line}) << before << " " << behind;
    }
}

TEST(log_marks, lines_without_one_are_left_out) {
  std::string text;
  for (int line = 0; line < 1000; ++line)
    text += fmt::format("[ {}.5] usb 1-1: new device number {}\n", line, line);
  EXPECT_TRUE(marked_lines(text).empty());
  EXPECT_TRUE(marked_lines("").empty());
  EXPECT_TRUE(marked_lines("\n\n\n").empty());
}

TEST(log_marks, a_line_is_taken_once_and_in_order) {
  EXPECT_EQ(marked_lines("NVRM NVRM nvidia\nx\r\nnvidia: y\r\nnouveau"),
            (std::vector<std::string>{"NVRM NVRM nvidia", "nvidia: y", "nouveau"}));
}

} // namespace
} // namespace gpucert
