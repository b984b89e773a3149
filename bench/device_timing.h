// SPDX-License-Identifier: Apache-2.0
// What the cases of gpucert-bench share on the device: times, rotation of buffers, and rules for the scale.
#pragma once

#include "bench/sampler.h"
#include "harness/work.h"
#include "kernels/cuda_error.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <memory>

namespace gpucert {

/// Starts one operation on the buffers of a set.
using launch_function = std::function<void(int set, cudaStream_t stream)>;

/// Two ways to take the time of launches that go round the sets. `charged` is what the simulator counts for each, in
/// `launches_each` launches or copies; see announced_work.
struct timed_launches {
  launch_function launch;
  int sets = 1;
  work charged;
  int launches_each = 1;
};

/// By events on the stream: the time on the GPU. For what the GPU takes longer to do than the host to start.
std::function<double(int)> event_timed(const timed_launches &launches);

/// By the project's clock, from before the first launch until the stream is empty.
std::function<double(int)> host_timed(const timed_launches &launches);

/// The sets to go round so that no launch finds its data in the L2 cache: twice its size in all, and two at least.
/// Two at tiny scale, where times are not those of caches.
int rotating_sets(double bytes_per_set);

/// Of the current device.
double read_l2_bytes();

/// The rule at this scale. On the simulator noise is seeded and a warm-up shows nothing, so that little is enough.
sampling_rule rule_for_scale(sampling_rule full = {});

/// The work that rates are computed from: what the case stands for where the simulator charges it, else what it did.
const work &counted_work(const work &full, const work &done);

} // namespace gpucert
