// SPDX-License-Identifier: Apache-2.0
// Times on the device and on the host.
#include "bench/device_timing.h"

#include "harness/clock.h"
#include "harness/run_settings.h"
#include "kernels/cuda_stream.h"

#include <algorithm>
#include <cmath>

namespace gpucert {
namespace {

class owned_event {
public:
  owned_event() { GPUCERT_CUDA_CHECK(cudaEventCreate(&event_)); }
  ~owned_event() { cudaEventDestroy(event_); }
  owned_event(const owned_event &) = delete;
  owned_event &operator=(const owned_event &) = delete;
  cudaEvent_t get() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

/// Launches on a stream of their own, set after set.
struct rotation {
  explicit rotation(const timed_launches &wanted) : launches(wanted) {}

  void launch(int count) {
    const announced_work announced(launches.charged, launches.launches_each);
    for (int i = 0; i < count; ++i) {
      launches.launch(next, stream.get());
      next = (next + 1) % launches.sets;
    }
  }

  timed_launches launches;
  cuda_stream stream;
  int next = 0;
};

struct timed_rotation : rotation {
  using rotation::rotation;
  owned_event start;
  owned_event end;
};

} // namespace

std::function<double(int)> event_timed(const timed_launches &launches) {
  return [timed = std::make_shared<timed_rotation>(launches)](int count) {
    GPUCERT_CUDA_CHECK(cudaEventRecord(timed->start.get(), timed->stream.get()));
    timed->launch(count);
    GPUCERT_CUDA_CHECK(cudaEventRecord(timed->end.get(), timed->stream.get()));
    GPUCERT_CUDA_CHECK(cudaEventSynchronize(timed->end.get()));
    float ms = 0;
    GPUCERT_CUDA_CHECK(cudaEventElapsedTime(&ms, timed->start.get(), timed->end.get()));
    return double{ms} * 1e3;
  };
}

std::function<double(int)> host_timed(const timed_launches &launches) {
  return [timed = std::make_shared<rotation>(launches)](int count) {
    const double start = now_us();
    timed->launch(count);
    GPUCERT_CUDA_CHECK(cudaStreamSynchronize(timed->stream.get()));
    return now_us() - start;
  };
}

int rotating_sets(double bytes_per_set) {
  constexpr int least = 2;
  if (current_settings().scale == run_scale::tiny)
    return least;
  return std::max(least, static_cast<int>(std::ceil(2 * read_l2_bytes() / bytes_per_set)));
}

double read_l2_bytes() {
  int bytes = 0;
  GPUCERT_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, current_settings().device));
  return bytes;
}

sampling_rule rule_for_scale(sampling_rule full) {
  if (current_settings().scale == run_scale::full)
    return full;
  full.warm_up_us = 0;
  full.least_sample_us = std::min(full.least_sample_us, 100.0); // one launch alone would show the gap of its events
  full.least_measured_us = 0;
  full.least_samples = 10;
  full.most_samples = 20;
  return full;
}

const work &counted_work(const work &full, const work &done) { return announced_work::is_charged() ? full : done; }

} // namespace gpucert
