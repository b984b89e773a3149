// SPDX-License-Identifier: Apache-2.0
// gpucert-conformance: does this GPU compute the right results? The cases are GoogleTest's; this program chooses them,
// keeps their order fixed, and says what happens as case lines.
#include "conformance/case_level.h"
#include "conformance/case_listener.h"
#include "harness/device_run.h"

#include <fmt/format.h>

#include <cstdio>

namespace gpucert {
namespace {

constexpr std::string_view program = "gpucert-conformance";

/// A case by its id, and by the name that GoogleTest's filter takes.
struct chosen_case {
  std::string id;
  std::string filter;
};

std::vector<chosen_case> choose_cases(const case_selection &selection) {
  std::vector<chosen_case> chosen;
  const testing::UnitTest &all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite &suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo &test = *suite.GetTestInfo(t);
      const std::string id = case_id_of(test);
      if (selection.selects(id, lowest_level_of(id)))
        chosen.push_back({id, fmt::format("{}.{}", suite.name(), test.name())});
    }
  }
  return chosen;
}

/// Sets every flag that decides what runs: GoogleTest takes them from the environment as well.
void set_flags(const std::vector<chosen_case> &chosen) {
  std::string filter;
  for (const chosen_case &one : chosen)
    filter += (filter.empty() ? "" : ":") + one.filter;
  GTEST_FLAG_SET(filter, filter);
  GTEST_FLAG_SET(also_run_disabled_tests, true); // a disabled case would be one that silently does not run
  GTEST_FLAG_SET(break_on_failure, false);
  GTEST_FLAG_SET(catch_exceptions, true);
  GTEST_FLAG_SET(fail_fast, false);
  GTEST_FLAG_SET(repeat, 1);
  GTEST_FLAG_SET(shuffle, false);
  GTEST_FLAG_SET(throw_on_failure, false);
}

program_exit run_cases(const std::vector<chosen_case> &chosen, case_writer &lines) {
  set_flags(chosen);
  auto *const listener = new case_listener(lines, take_leftover_error);
  testing::UnitTest::GetInstance()->listeners().Append(listener); // which owns it
  const int googletest_result = RUN_ALL_TESTS();
  if (listener->is_device_lost())
    return program_exit::failed; // without "done": the rest has not run
  if (static_cast<std::size_t>(listener->ended()) != chosen.size())
    throw std::runtime_error(fmt::format("{} of {} cases ran", listener->ended(), chosen.size()));
  lines.write(done_line());
  if (listener->bad() > 0)
    return program_exit::failed;
  if (googletest_result != 0)
    throw std::runtime_error("GoogleTest found a failure outside of the cases");
  return program_exit::passed;
}

program_exit run(const std::vector<std::string> &words) {
  CLI::App app{"Checks that one GPU computes the right results.\n"
               "Exits 0 when every case passed or was skipped with a reason, 2 when one failed or could not be\n"
               "carried out, 3 when nothing or not everything ran, 64 on wrong usage.",
               std::string(program)};
  const auto options = parse_program_options(app, words);
  if (!options)
    return program_exit::passed;
  int no_arguments = 1;
  std::string name(program);
  char *arguments[] = {name.data(), nullptr};
  testing::InitGoogleTest(&no_arguments, arguments);
  const auto chosen = choose_cases(options->selection);
  std::vector<std::string> ids;
  for (const chosen_case &one : chosen)
    ids.push_back(one.id);
  return run_on_device({program, "conformance.device", std::move(ids),
                        [&chosen](case_writer &lines) { return run_cases(chosen, lines); }},
                       *options);
}

} // namespace
} // namespace gpucert

int main(int argument_count, char **arguments) {
  return gpucert::run_program(gpucert::program, [&] {
    return gpucert::run({arguments + 1, arguments + argument_count});
  });
}
