// SPDX-License-Identifier: Apache-2.0
#include "node/text_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gpucert {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty())
    lines.emplace_back(take_line(text));
  return lines;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
    words.emplace_back(word);
  return words;
}

using list = std::vector<std::string>;

TEST(text_lines, lines_end_in_lf_or_crlf_or_with_the_text) {
  EXPECT_EQ(lines_of("a\nb\r\n\nc"), (list{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of("a\n"), list{"a"});
  EXPECT_EQ(lines_of("\n"), list{""});
  EXPECT_EQ(lines_of(""), list{});
  EXPECT_EQ(lines_of("a\rb\n"), list{"a\rb"}) << "a carriage return inside a line belongs to it";
}

TEST(text_lines, words_stand_between_blanks_and_tabs) {
  EXPECT_EQ(words_of("  one\ttwo   three "), (list{"one", "two", "three"}));
  EXPECT_EQ(words_of(" \t "), list{});
}

TEST(text_lines, trim_takes_blanks_and_line_ends_off_both_sides) {
  EXPECT_EQ(trim(" \t570.124.06\r\n"), "570.124.06");
  EXPECT_EQ(trim("two words\n"), "two words");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(text_lines, contains_ignores_the_case_of_letters) {
  EXPECT_TRUE(contains_ignoring_case("Failed: Driver/Library Version Mismatch", "driver/library version mismatch"));
  EXPECT_FALSE(contains_ignoring_case("driver/library version", "driver/library version mismatch"));
  EXPECT_TRUE(contains_ignoring_case("x", ""));
  EXPECT_FALSE(contains_ignoring_case("", "x"));
}

} // namespace
} // namespace gpucert
