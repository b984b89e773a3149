// SPDX-License-Identifier: Apache-2.0
// How long the simulated GPU takes: bytes over bandwidth, operations over rate, and what each start costs.
#pragma once

#include "harness/work.h"
#include "simulator/engine/thread_order.h"
#include "simulator/simulation.h"

namespace gpucert::simulator {

class cost_model {
public:
  explicit cost_model(const simulation &what);

  /// A kernel or a GEMM, from its start on the device to its end.
  double kernel_us(const work &done);
  /// A kernel of which nothing is known but its threads: as if each moved one vector of 16 bytes.
  double kernel_us(double threads);
  double fill_us(double bytes);
  double device_copy_us(double bytes);
  double link_copy_us(double bytes, bool is_pinned);

private:
  double with_noise(double us);

  const profile *gpu_;
  double memory_bytes_per_us_;
  double math_share_;
  random_sequence random_;
};

// Host time of calls. A launch: 2.5 us as cuLaunchKernel takes on recent nodes (reference: 3.0 us on GB200, 2-4 us).
constexpr double launch_submission_us = 2.5;
constexpr double copy_submission_us = 1.5;
constexpr double short_call_us = 0.2;
constexpr double allocation_us = 20;

} // namespace gpucert::simulator
