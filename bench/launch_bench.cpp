// SPDX-License-Identifier: Apache-2.0
// What a launch costs the host: the path through the driver that an upgrade changes most.
#include "bench/bench_case.h"
#include "bench/device_timing.h"
#include "bench/metrics.h"
#include "kernels/empty.h"

namespace gpucert {
namespace {

class owned_event {
public:
  owned_event() { GPUCERT_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~owned_event() { cudaEventDestroy(event_); }
  owned_event(const owned_event &) = delete;
  owned_event &operator=(const owned_event &) = delete;
  cudaEvent_t get() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

/// Nothing is computed, so there is nothing to verify: a launch that fails throws.
bench_result measure(const char *id, const launch_function &launch, sampling_rule rule) {
  const auto samples = take_samples({host_timed({launch, 1, work{}}), {}, {}, 1}, rule_for_scale(rule));
  return judge_sampling(id, samples, {"us"});
}

/// Many in a row, one wait at the end: the time of one is what the slower of host and GPU needs.
bench_result measure_back_to_back() {
  sampling_rule rule;
  rule.least_sample_us = 2000; // some hundred launches, so that the wait at the end does not count
  return measure(
      "bench.launch.back_to_back", [](int, cudaStream_t stream) { launch_empty(stream); }, rule);
}

sampling_rule rule_for_single_calls() {
  sampling_rule rule;
  rule.most_launches_per_sample = 1; // the distribution of single calls is asked for: p99
  rule.least_samples = 1000;
  rule.most_samples = 5000;
  rule.least_measured_us = 0;
  return rule;
}

/// One launch and the wait for it.
bench_result measure_round_trip() {
  return measure(
      "bench.launch.round_trip", [](int, cudaStream_t stream) { launch_empty(stream); }, rule_for_single_calls());
}

bench_result measure_event_record() {
  const owned_event event;
  sampling_rule rule;
  rule.least_sample_us = 1000;
  return measure(
      "bench.launch.event_record",
      [&](int, cudaStream_t stream) { GPUCERT_CUDA_CHECK(cudaEventRecord(event.get(), stream)); }, rule);
}

const bench_registration registration{{
    {"bench.launch.back_to_back", run_level::quick, measure_back_to_back},
    {"bench.launch.round_trip", run_level::quick, measure_round_trip},
    {"bench.launch.event_record", run_level::standard, measure_event_record},
}};

} // namespace
} // namespace gpucert
