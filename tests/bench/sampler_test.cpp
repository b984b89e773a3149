// SPDX-License-Identifier: Apache-2.0
// The measuring protocol on a GPU of scripted times.
#include "bench/metrics.h"
#include "bench/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

namespace gpucert {
namespace {

/// Takes `us` for each launch, plus the noise scripted for the call. Its sets hold a result or poison.
struct scripted_gpu {
  double us = 10;
  std::function<double(std::size_t call)> noise = [](std::size_t) { return 0.0; };
  double real_seconds_per_call = 0;
  int sets = 2;

  std::vector<int> calls; // launches of each
  std::size_t poisoned = 0;
  double now_seconds = 100;
  int next = 0;
  std::vector<bool> written = std::vector<bool>(2);
  std::function<bool(const scripted_gpu &)> is_right = [](const scripted_gpu &) { return true; };
  std::function<bool(int set)> writes = [](int) { return true; };

  measured_operation operation() {
    return {[this](int launches) {
              calls.push_back(launches);
              now_seconds += real_seconds_per_call;
              for (int i = 0; i < launches; ++i, next = (next + 1) % sets)
                if (writes(next))
                  written[static_cast<std::size_t>(next)] = true;
              return launches * us + noise(calls.size() - 1);
            },
            [this] {
              ++poisoned;
              written.assign(static_cast<std::size_t>(sets), false);
            },
            [this]() -> std::optional<std::string> {
              if (std::find(written.begin(), written.end(), false) != written.end())
                return "element 0 is poison";
              return is_right(*this) ? std::nullopt : std::optional<std::string>("element 7 is 1, expected 2");
            },
            sets};
  }

  sampling measure(const sampling_rule &rule) {
    return take_samples(operation(), rule, [this] { return now_seconds; });
  }
};

sampling_rule short_rule() {
  sampling_rule rule;
  rule.warm_up_us = 100;
  rule.least_sample_us = 0;
  rule.least_measured_us = 0;
  return rule;
}

TEST(sampler, steady_times_stop_at_the_least_number_of_samples) {
  scripted_gpu gpu;
  const auto samples = gpu.measure(short_rule());
  EXPECT_FALSE(samples.wrong_result);
  EXPECT_FALSE(samples.invalid);
  EXPECT_EQ(samples.us_per_launch, std::vector<double>(10, 10.0));
  EXPECT_EQ(samples.stopped_by, stop_reason::precise);
}

TEST(sampler, verifies_before_and_after_with_poisoned_outputs) {
  scripted_gpu gpu;
  gpu.measure(short_rule());
  EXPECT_EQ(gpu.poisoned, 2u);
  EXPECT_EQ(gpu.calls.front(), gpu.sets) << "each set is written once before it is looked at";
  EXPECT_EQ(gpu.calls.back(), gpu.sets);
}

TEST(sampler, wrong_result_before_timing_is_never_a_time) {
  scripted_gpu gpu;
  gpu.is_right = [](const scripted_gpu &) { return false; };
  const auto samples = gpu.measure(short_rule());
  EXPECT_EQ(samples.wrong_result, "wrong result before timing: element 7 is 1, expected 2");
  EXPECT_TRUE(samples.us_per_launch.empty());
  EXPECT_EQ(gpu.calls.size(), 1u) << "nothing is timed";
  EXPECT_EQ(judge_sampling("bench.x", samples, {"us"}).outcome, case_outcome::fail);
  EXPECT_TRUE(judge_sampling("bench.x", samples, {"us"}).metrics.empty());
}

TEST(sampler, wrong_result_after_timing_is_never_a_time) {
  scripted_gpu gpu;
  gpu.is_right = [](const scripted_gpu &self) { return self.calls.size() < 5; };
  const auto samples = gpu.measure(short_rule());
  EXPECT_EQ(samples.wrong_result, "wrong result after timing: element 7 is 1, expected 2");
  EXPECT_EQ(judge_sampling("bench.x", samples, {"us"}).outcome, case_outcome::fail);
  EXPECT_TRUE(judge_sampling("bench.x", samples, {"us"}).metrics.empty());
}

TEST(sampler, output_left_over_from_an_earlier_launch_is_found) {
  scripted_gpu gpu;
  gpu.written.assign(2, true); // right, but of somebody else
  gpu.writes = [](int set) { return set == 0; };
  EXPECT_EQ(gpu.measure(short_rule()).wrong_result, "wrong result before timing: element 0 is poison");
}

TEST(sampler, launches_that_stop_writing_during_the_timing_are_found) {
  scripted_gpu gpu;
  gpu.writes = [&](int) { return gpu.calls.size() < 4; };
  EXPECT_EQ(gpu.measure(short_rule()).wrong_result, "wrong result after timing: element 0 is poison");
}

TEST(sampler, warms_up_for_three_launches_and_the_time_asked_for) {
  scripted_gpu gpu;
  sampling_rule rule = short_rule();
  rule.warm_up_us = 0;
  gpu.measure(rule);
  EXPECT_EQ(gpu.calls[1], 3);
  EXPECT_EQ(gpu.calls.size(), 1u + 1 + 10 + 1);

  scripted_gpu longer;
  rule.warm_up_us = 200; // 3 and 6 launches are 90 us, 12 more reach it
  longer.measure(rule);
  EXPECT_EQ(std::vector<int>(longer.calls.begin() + 1, longer.calls.begin() + 5), (std::vector<int>{3, 6, 12, 1}));
}

TEST(sampler, short_launches_are_taken_together) {
  scripted_gpu gpu;
  sampling_rule rule = short_rule();
  rule.least_sample_us = 195;
  const auto samples = gpu.measure(rule);
  EXPECT_EQ(samples.launches_per_sample, 20);
  EXPECT_EQ(samples.us_per_launch[0], 10);
  rule.most_launches_per_sample = 5;
  EXPECT_EQ(gpu.measure(rule).launches_per_sample, 5);
}

TEST(sampler, noise_asks_for_more_samples_until_the_median_is_known) {
  scripted_gpu gpu;
  gpu.noise = [](std::size_t call) { return 0.6 * static_cast<double>(call * 7 % 5) / 5; }; // a range of 6 %
  const auto samples = gpu.measure(short_rule());
  EXPECT_EQ(samples.stopped_by, stop_reason::precise);
  EXPECT_GT(samples.us_per_launch.size(), 10u);
}

TEST(sampler, noise_that_stays_the_same_ends_the_search) {
  scripted_gpu gpu;
  gpu.noise = [](std::size_t call) { return call % 2 ? 10.0 : 0.0; };
  const auto samples = gpu.measure(short_rule());
  EXPECT_EQ(samples.stopped_by, stop_reason::settled);
  EXPECT_EQ(samples.us_per_launch.size(), 64u);
}

TEST(sampler, noise_that_grows_ends_at_the_cap_on_samples) {
  scripted_gpu gpu;
  gpu.noise = [](std::size_t call) { return static_cast<double>(call * call); };
  sampling_rule rule = short_rule();
  rule.most_samples = 40;
  const auto samples = gpu.measure(rule);
  EXPECT_EQ(samples.stopped_by, stop_reason::sample_cap);
  EXPECT_EQ(samples.us_per_launch.size(), 40u);
}

TEST(sampler, real_time_ends_the_sampling_whatever_the_measured_clock_says) {
  scripted_gpu gpu;
  gpu.real_seconds_per_call = 1;
  sampling_rule rule = short_rule();
  rule.least_measured_us = 1e9;
  rule.most_seconds = 15;
  const auto samples = gpu.measure(rule);
  EXPECT_EQ(samples.stopped_by, stop_reason::time_cap);
  EXPECT_FALSE(samples.invalid);
  EXPECT_EQ(gpu.calls.size(), 1u + 15 + 1) << "the cap includes the warm-up, the verifications stand outside";
}

TEST(sampler, too_few_samples_within_the_time_are_invalid) {
  scripted_gpu gpu;
  gpu.real_seconds_per_call = 5;
  const auto samples = gpu.measure(short_rule());
  EXPECT_TRUE(samples.invalid);
  const auto result = judge_sampling("bench.x", samples, {"us"});
  EXPECT_EQ(result.outcome, case_outcome::error);
  EXPECT_TRUE(result.metrics.empty());
}

TEST(sampler, times_that_are_none_are_invalid_and_never_nan) {
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    scripted_gpu gpu;
    gpu.noise = [&](std::size_t call) { return call == 6 ? bad - 10 : 0.0; };
    const auto samples = gpu.measure(short_rule());
    EXPECT_TRUE(samples.invalid) << bad;
    EXPECT_EQ(judge_sampling("bench.x", samples, {"us"}).outcome, case_outcome::error) << bad;
  }
}

TEST(sampler, outliers_are_kept) {
  scripted_gpu gpu;
  gpu.noise = [](std::size_t call) { return call == 8 ? 1e6 : 0.0; };
  const auto samples = gpu.measure(short_rule());
  EXPECT_EQ(std::count(samples.us_per_launch.begin(), samples.us_per_launch.end(), 1e6 + 10), 1);
  const auto result = judge_sampling("bench.x", samples, {"us"});
  EXPECT_EQ(result.metrics[0].value, 10);
  EXPECT_GT(result.metrics[0].details.at("p99"), 1e5);
}

sampling ten_samples(double us) {
  sampling samples;
  samples.us_per_launch.assign(10, us);
  return samples;
}

TEST(judge_sampling, units_are_those_of_their_names) {
  const auto bytes = judge_sampling("bench.a", ten_samples(100), {"gb_per_s", 480e6, "memory"}).metrics.at(0);
  EXPECT_EQ(bytes.name, "bench.a_gb_per_s");
  EXPECT_DOUBLE_EQ(bytes.value, 4800); // 480 MB in 100 us
  EXPECT_TRUE(bytes.is_higher_better);
  EXPECT_EQ(bytes.peak_kind, "memory");
  EXPECT_DOUBLE_EQ(judge_sampling("bench.a", ten_samples(100), {"tflops", 98.9e9}).metrics.at(0).value, 989);
  const auto latency = judge_sampling("bench.a", ten_samples(2.5), {"us"}).metrics.at(0);
  EXPECT_EQ(latency.name, "bench.a_us");
  EXPECT_EQ(latency.value, 2.5);
  EXPECT_FALSE(latency.is_higher_better);
  EXPECT_EQ(latency.samples.size(), 10u);
  for (const char *key : {"min", "q1", "median", "q3", "p99", "launches_per_sample", "is_capped"})
    EXPECT_TRUE(latency.details.contains(key)) << key;
}

TEST(judge_sampling, unknown_unit_is_a_mistake_of_the_program) {
  EXPECT_THROW(judge_sampling("bench.a", ten_samples(1), {"furlongs"}), std::logic_error);
}

} // namespace
} // namespace gpucert
