// SPDX-License-Identifier: Apache-2.0
// From times to metrics.
#include "bench/metrics.h"

#include "bench/statistics.h"

#include <stdexcept>

namespace gpucert {
namespace {

/// One sample in the metric's unit. GB = 10^9 bytes; TFLOP/s and, of integers, TOP/s = 10^12 operations a second.
double value_of(const metric_kind &kind, double us) {
  if (kind.unit == "us")
    return us;
  if (kind.unit == "gb_per_s")
    return kind.amount / us * 1e-3;
  if (kind.unit == "tflops" || kind.unit == "tops")
    return kind.amount / us * 1e-6;
  throw std::logic_error("no metric has the unit " + kind.unit);
}

bench_result without_metrics(case_outcome outcome, const std::string &reason) {
  bench_result result;
  result.outcome = outcome;
  result.reason = reason;
  return result;
}

void add_details(metric &measured, const sampling &samples, const sample_summary &summary) {
  measured.details["min"] = summary.least;
  measured.details["q1"] = summary.q1;
  measured.details["median"] = summary.median;
  measured.details["q3"] = summary.q3;
  measured.details["p99"] = summary.p99;
  measured.details["launches_per_sample"] = samples.launches_per_sample;
  measured.details["relative_error_of_median"] = relative_error_of_median(measured.samples).value_or(0);
  measured.details["is_capped"] =
      samples.stopped_by == stop_reason::sample_cap || samples.stopped_by == stop_reason::time_cap;
}

} // namespace

bench_result judge_sampling(std::string_view case_id, const sampling &samples, const metric_kind &kind) {
  if (samples.wrong_result)
    return without_metrics(case_outcome::fail, *samples.wrong_result);
  if (samples.invalid)
    return without_metrics(case_outcome::error, "invalid measurement: " + *samples.invalid);
  metric measured;
  measured.name = std::string(case_id) + "_" + kind.unit;
  measured.unit = kind.unit;
  measured.is_higher_better = kind.unit != "us";
  measured.peak_kind = kind.peak_kind;
  measured.details = kind.details;
  for (const double us : samples.us_per_launch)
    measured.samples.push_back(value_of(kind, us));
  const auto summary = summarize(measured.samples);
  if (!summary)
    return without_metrics(case_outcome::error, "invalid measurement: no samples");
  measured.value = summary->median;
  add_details(measured, samples, *summary);
  return passed({measured});
}

} // namespace gpucert
