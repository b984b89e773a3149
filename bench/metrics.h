// SPDX-License-Identifier: Apache-2.0
// From times to metrics: rates and latencies, each with all its samples.
#pragma once

#include "bench/bench_case.h"
#include "bench/sampler.h"

#include <map>
#include <string>
#include <string_view>

namespace gpucert {

/// What a metric of a case is.
struct metric_kind {
  std::string unit; // gb_per_s, tflops, tops, us; ends the metric's id
  /// Of one launch, for rates: bytes for gb_per_s, operations for tflops and tops. Not used for us.
  double amount = 0;
  std::string peak_kind = {}; // what the datasheet's value is compared with; empty: none
  std::map<std::string, double> details = {};
};

/// The result of a case with one metric, named ID_UNIT: a wrong result is a failure, an invalid measurement an error.
bench_result judge_sampling(std::string_view case_id, const sampling &samples, const metric_kind &kind);

} // namespace gpucert
