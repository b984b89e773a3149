// SPDX-License-Identifier: Apache-2.0
// The measuring protocol.
#include "bench/sampler.h"

#include "bench/statistics.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gpucert {
namespace {

constexpr int least_warm_up_launches = 3; // the first loads the module, the second may still set clocks in motion
constexpr std::size_t noise_window = 64;
constexpr std::size_t noise_stride = 16; // estimates of neighbouring samples are nearly the same one

bool is_time(double us) { return std::isfinite(us) && us > 0; }

/// Poisons, writes every set once, and looks at all of them: outputs left over from earlier launches cannot pass.
std::optional<std::string> verify(const measured_operation &operation, const char *when) {
  if (operation.poison)
    operation.poison();
  operation.run_us(operation.sets);
  if (!operation.find_wrong_result)
    return std::nullopt;
  const auto wrong = operation.find_wrong_result();
  return wrong ? std::optional(std::string("wrong result ") + when + " timing: " + *wrong) : std::nullopt;
}

/// Returns the time of a launch, as the last of the warm-up took.
double warm_up(const measured_operation &operation, const sampling_rule &rule,
               const std::function<double()> &real_seconds, double deadline) {
  double total_us = 0;
  double us_per_launch = 0;
  int launches = least_warm_up_launches;
  do {
    const double us = operation.run_us(launches);
    if (!is_time(us))
      return 0;
    us_per_launch = us / launches;
    total_us += us;
    launches = std::min(2 * launches, rule.most_launches_per_sample);
  } while (total_us < rule.warm_up_us && real_seconds() < deadline);
  return us_per_launch;
}

int launches_for(double us_per_launch, const sampling_rule &rule) {
  if (!is_time(us_per_launch))
    return 1;
  const double wanted = std::ceil(rule.least_sample_us / us_per_launch);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(rule.most_launches_per_sample)));
}

/// Asks after each sample whether it is enough.
class stop_rule {
public:
  stop_rule(const sampling_rule &rule, double deadline) : rule_(rule), deadline_(deadline) {}

  std::optional<stop_reason> ask(const std::vector<double> &samples, double measured_us, double now) {
    const std::size_t count = samples.size();
    if (count > 0 && count % noise_stride == 0)
      noise_.push_back(relative_noise(samples).value_or(0));
    if (now >= deadline_)
      return stop_reason::time_cap;
    if (count >= static_cast<std::size_t>(rule_.most_samples))
      return stop_reason::sample_cap;
    if (count < static_cast<std::size_t>(rule_.least_samples) || measured_us < rule_.least_measured_us)
      return std::nullopt;
    if (relative_error_of_median(samples).value_or(1) <= rule_.good_error)
      return stop_reason::precise;
    if (is_settled(noise_, noise_window / noise_stride))
      return stop_reason::settled;
    return std::nullopt;
  }

private:
  const sampling_rule &rule_;
  double deadline_;
  std::vector<double> noise_;
};

/// Fills in the samples, or why there are none.
void sample(const measured_operation &operation, const sampling_rule &rule, const std::function<double()> &real_seconds,
            double deadline, sampling &result) {
  stop_rule rule_of_stop(rule, deadline);
  double measured_us = 0;
  std::optional<stop_reason> stop;
  while (!stop) {
    const double us = operation.run_us(result.launches_per_sample);
    if (!is_time(us)) {
      result.invalid = "a sample took " + std::to_string(us) +
                       " us, which is no time: the clock of the GPU or the "
                       "driver's events are broken";
      return;
    }
    measured_us += us;
    result.us_per_launch.push_back(us / result.launches_per_sample);
    stop = rule_of_stop.ask(result.us_per_launch, measured_us, real_seconds());
  }
  result.stopped_by = *stop;
  if (result.us_per_launch.size() < static_cast<std::size_t>(rule.least_samples))
    result.invalid = std::to_string(result.us_per_launch.size()) + " samples within " +
                     std::to_string(rule.most_seconds) + " s, at least " + std::to_string(rule.least_samples) +
                     " are needed";
}

} // namespace

std::string_view name_of(stop_reason reason) {
  switch (reason) {
  case stop_reason::precise:
    return "precise";
  case stop_reason::settled:
    return "settled";
  case stop_reason::sample_cap:
    return "sample_cap";
  case stop_reason::time_cap:
    break;
  }
  return "time_cap";
}

sampling take_samples(const measured_operation &operation, const sampling_rule &rule,
                      const std::function<double()> &real_seconds) {
  sampling result;
  result.wrong_result = verify(operation, "before");
  if (result.wrong_result)
    return result;
  const double deadline = real_seconds() + rule.most_seconds;
  result.launches_per_sample = launches_for(warm_up(operation, rule, real_seconds, deadline), rule);
  sample(operation, rule, real_seconds, deadline, result);
  result.wrong_result = verify(operation, "after"); // a hot GPU may compute wrongly what a cool one did right
  return result;
}

sampling take_samples(const measured_operation &operation, const sampling_rule &rule) {
  return take_samples(operation, rule, [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  });
}

} // namespace gpucert
