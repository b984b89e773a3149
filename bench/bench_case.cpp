// SPDX-License-Identifier: Apache-2.0
// The registry of the cases of gpucert-bench.
#include "bench/bench_case.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace gpucert {
namespace {

std::vector<bench_case> &mutable_cases() {
  static std::vector<bench_case> cases;
  return cases;
}

} // namespace

bench_registration::bench_registration(std::vector<bench_case> cases) {
  std::move(cases.begin(), cases.end(), std::back_inserter(mutable_cases()));
}

std::vector<bench_case> registered_bench_cases() {
  std::vector<bench_case> cases = mutable_cases();
  std::sort(cases.begin(), cases.end(), [](const bench_case &a, const bench_case &b) { return a.id < b.id; });
  const auto twice = std::adjacent_find(cases.begin(), cases.end(),
                                        [](const bench_case &a, const bench_case &b) { return a.id == b.id; });
  if (twice != cases.end())
    throw std::logic_error("two benchmarks are named " + twice->id + ": rename one");
  return cases;
}

bench_result passed(std::vector<metric> metrics) {
  bench_result result;
  result.outcome = case_outcome::pass;
  result.metrics = std::move(metrics);
  return result;
}

bench_result skipped(std::string reason) {
  bench_result result;
  result.outcome = case_outcome::skip;
  result.reason = std::move(reason);
  return result;
}

} // namespace gpucert
