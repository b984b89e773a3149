// SPDX-License-Identifier: Apache-2.0
// The shared command line, and where case lines go.
#include "harness/case_writer.h"
#include "harness/program_options.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace gpucert {
namespace {

program_options parse(const std::vector<std::string> &words) {
  CLI::App app;
  return parse_program_options(app, words).value();
}

TEST(program_options, nothing_asked_is_everything_at_full_scale) {
  const auto options = parse({});
  EXPECT_EQ(options.settings.scale, run_scale::full);
  EXPECT_EQ(options.settings.device, 0);
  EXPECT_FALSE(options.device);
  EXPECT_TRUE(options.selection.selects("bench.any", run_level::extended));
  EXPECT_FALSE(options.lists_only);
}

TEST(program_options, every_option_is_taken) {
  const auto options =
      parse({"--device", "7", "--scale", "tiny", "--seed", "18446744073709551615", "--level", "quick", "--filter",
             "a.*", "--filter", "b.?", "--exclude", "a.c", "--case-lines", "/dev/fd/9", "--list"});
  EXPECT_EQ(options.device, 7);
  EXPECT_EQ(options.settings.device, 7);
  EXPECT_EQ(options.settings.scale, run_scale::tiny);
  EXPECT_EQ(options.settings.seed, 18446744073709551615u);
  EXPECT_EQ(options.selection.level, run_level::quick);
  EXPECT_EQ(options.selection.filters, (std::vector<std::string>{"a.*", "b.?"}));
  EXPECT_EQ(options.selection.excluded, std::vector<std::string>{"a.c"});
  EXPECT_EQ(options.case_lines_path, "/dev/fd/9");
  EXPECT_TRUE(options.lists_only);
}

TEST(program_options, selection_is_filter_and_not_excluded_and_level) {
  const case_selection selection{{"bench.gemm.*", "bench.copy.?2h"}, {"bench.gemm.slow"}, run_level::standard};
  EXPECT_TRUE(selection.selects("bench.gemm.m1", run_level::standard));
  EXPECT_TRUE(selection.selects("bench.copy.d2h", run_level::quick));
  EXPECT_FALSE(selection.selects("bench.gemm.m1", run_level::extended));
  EXPECT_FALSE(selection.selects("bench.gemm.slow", run_level::quick));
  EXPECT_FALSE(selection.selects("bench.stream.copy", run_level::quick));
}

struct wrong_words {
  const char *name;
  std::vector<std::string> words;
};

class wrong_usage_test : public testing::TestWithParam<wrong_words> {};

TEST_P(wrong_usage_test, is_one_line_and_exit_64) {
  const int code = run_program("gpucert-test", [] {
    CLI::App app;
    try {
      parse_program_options(app, GetParam().words);
    } catch (const wrong_usage &error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      throw;
    }
    return program_exit::passed;
  });
  EXPECT_EQ(code, 64);
}

INSTANTIATE_TEST_SUITE_P(lines, wrong_usage_test,
                         testing::Values(wrong_words{"unknown_option", {"--fast"}}, wrong_words{"stray_word", {"all"}},
                                         wrong_words{"negative_device", {"--device", "-1"}},
                                         wrong_words{"device_beyond_int", {"--device", "2147483648"}},
                                         wrong_words{"seed_beyond_64_bits", {"--seed", "18446744073709551616"}},
                                         wrong_words{"seed_with_a_tail", {"--seed", "1x"}},
                                         wrong_words{"unknown_level", {"--level", "Quick"}},
                                         wrong_words{"level_as_a_number", {"--level", "0"}},
                                         wrong_words{"unknown_scale", {"--scale", "small"}},
                                         wrong_words{"filter_without_a_value", {"--filter"}}),
                         [](const auto &tested) { return tested.param.name; });

TEST(run_program, escaping_exception_is_unknown) {
  EXPECT_EQ(run_program("gpucert-test", []() -> program_exit { throw std::runtime_error("no case is chosen"); }), 3);
  EXPECT_EQ(run_program("gpucert-test", [] { return program_exit::failed; }), 2);
}

struct glob_case {
  const char *pattern;
  const char *text;
  bool matches;
};

TEST(matches_glob, stars_and_question_marks) {
  for (const auto &[pattern, text, matches] : {glob_case{"", "", true},
                                               {"", "a", false},
                                               {"*", "", true},
                                               {"*", "a.b", true},
                                               {"a*c", "abbc", true},
                                               {"a*c", "abbcd", false},
                                               {"a*b*c", "a_b_b_c", true},
                                               {"a?c", "abc", true},
                                               {"a?c", "ac", false},
                                               {"**a", "bba", true},
                                               {"a.c", "abc", false},
                                               {"[a]", "a", false},
                                               {"a*", "b", false},
                                               {"*ab", "aab", true}})
    EXPECT_EQ(matches_glob(pattern, text), matches) << pattern << " and " << text;
}

std::string contents_of(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string temporary_path(const char *name) { return testing::TempDir() + name + std::to_string(getpid()); }

TEST(case_writer, appends_to_a_file) {
  const std::string path = temporary_path("gpucert_lines_");
  case_writer(path).write("one\n");
  case_writer(path).write("two\n");
  EXPECT_EQ(contents_of(path), "one\ntwo\n");
  unlink(path.c_str());
}

TEST(case_writer, takes_an_open_descriptor_and_leaves_it_open) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  case_writer("/dev/fd/" + std::to_string(ends[1])).write("line\n");
  char bytes[16];
  EXPECT_EQ(read(ends[0], bytes, sizeof bytes), 5);
  EXPECT_EQ(write(ends[1], "x", 1), 1);
  close(ends[0]);
  close(ends[1]);
}

TEST(case_writer, nowhere_is_no_error_and_a_missing_folder_is) {
  case_writer("").write("line\n");
  EXPECT_THROW(case_writer("/nonexistent/folder/lines"), std::system_error);
  EXPECT_THROW(case_writer("/dev/fd/987654"), std::system_error);
}

TEST(case_writer, full_disk_ends_the_run) {
  case_writer full("/dev/full");
  EXPECT_THROW(full.write("line\n"), std::system_error);
}

} // namespace
} // namespace gpucert
