// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs. What is put into a stream runs when the host next waits for it, so that a missing wait is
// seen as stale data; its time is counted as if it had run at once.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace gpucert::simulator {

/// The parts of a GPU that work beside each other; work of one part waits for its turn.
enum class device_part { compute, copy_to_device, copy_to_host, none };

struct operation {
  std::function<cudaError_t()> run; // empty: only marks a point in time
  double duration_us = 0;
  device_part part = device_part::none;
  double submitted_us = 0;      // host time of the call
  cudaEvent_t record = nullptr; // reached by this operation
  cudaEvent_t wait = nullptr;   // to be reached before it
  std::uint64_t wait_for = 0;   // the recording of `wait` that is meant
};

} // namespace gpucert::simulator

// The names behind the handles of the CUDA runtime.
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
struct CUevent_st {
  int device = 0;
  bool has_timing = true;
  std::uint64_t recorded = 0; // how often it was put into a stream
  std::uint64_t reached = 0;
  double reached_us = 0;
};

struct CUgraph_st {
  std::vector<gpucert::simulator::operation> operations;
};

struct CUgraphExec_st {
  std::vector<gpucert::simulator::operation> operations;
};

struct CUstream_st {
  int device = 0;
  bool waits_for_default = true; // not created with cudaStreamNonBlocking
  std::deque<gpucert::simulator::operation> queue;
  double end_us = 0; // of what has run
  std::unique_ptr<CUgraph_st> capture;
};
// NOLINTEND(readability-identifier-naming)
