// SPDX-License-Identifier: Apache-2.0
// Order statistics against values calculated by hand.
#include "bench/bench_case.h"
#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace gpucert {
namespace {

TEST(statistics, quantiles_lie_between_neighbours) {
  const std::vector<double> five{1, 2, 3, 4, 5};
  EXPECT_EQ(quantile_of(five, 0), 1);
  EXPECT_EQ(quantile_of(five, 0.25), 2);
  EXPECT_EQ(quantile_of(five, 0.5), 3);
  EXPECT_EQ(quantile_of(five, 1), 5);
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile_of({0, 100}, 0.99), 99);
  EXPECT_EQ(quantile_of({7}, 0.99), 7);
}

TEST(statistics, summary_sorts_and_keeps_extremes) {
  const auto summary = summarize({5, 1, 4, 2, 3});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->least, 1);
  EXPECT_EQ(summary->q1, 2);
  EXPECT_EQ(summary->median, 3);
  EXPECT_EQ(summary->q3, 4);
  EXPECT_DOUBLE_EQ(summary->p99, 4.96);
  EXPECT_FALSE(summarize({}));
}

TEST(statistics, noise_is_absent_where_it_has_no_meaning) {
  EXPECT_FALSE(relative_noise({}));
  EXPECT_FALSE(relative_noise({0, 0}));
  EXPECT_EQ(relative_noise({3, 3, 3}), 0);
  EXPECT_DOUBLE_EQ(*relative_noise({1, 2, 3, 4, 5}), 2.0 / 3);
  EXPECT_FALSE(relative_error_of_median({}));
}

TEST(statistics, error_of_the_median_falls_with_the_root_of_the_count) {
  std::vector<double> samples{1, 2, 3, 4, 5};
  const double once = *relative_error_of_median(samples);
  EXPECT_NEAR(once, 0.929 * 2 / 3 / std::sqrt(5.0), 1e-4);
  samples.clear();
  for (int i = 0; i < 400; ++i)
    samples.push_back(1 + i % 5);
  EXPECT_NEAR(*relative_error_of_median(samples), once * std::sqrt(5.0 / 400), 1e-4);
}

TEST(statistics, noise_settles_by_its_last_estimates) {
  EXPECT_FALSE(is_settled({0.1, 0.1, 0.1}, 4));
  EXPECT_TRUE(is_settled({0.9, 0.1, 0.1, 0.1, 0.1}, 4));
  EXPECT_TRUE(is_settled({0.100, 0.104, 0.098, 0.101}, 4));
  EXPECT_FALSE(is_settled({0.10, 0.12, 0.14, 0.16}, 4));
  EXPECT_FALSE(is_settled({0, 0, 0, 0}, 4)) << "no noise at all: the error of the median says so";
}

TEST(bench_cases, are_sorted_and_named_once) {
  static const bench_registration registration{{{"bench.b", run_level::quick, [] { return skipped("no"); }},
                                                {"bench.a", run_level::standard, [] { return passed({}); }}}};
  const auto cases = registered_bench_cases();
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].id, "bench.a");
  static const bench_registration again{{{"bench.a", run_level::quick, {}}}};
  EXPECT_THROW(registered_bench_cases(), std::logic_error);
}

} // namespace
} // namespace gpucert
