// SPDX-License-Identifier: Apache-2.0
// What a run of gpucert-conformance or gpucert-bench was asked for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpucert {

/// Tiny shapes have the names and the structure of full ones; they are for the simulator, where a full GEMM takes
/// hours.
enum class run_scale { full, tiny };

struct run_settings {
  run_scale scale = run_scale::full;
  std::uint64_t seed = 20240612; // fixed and printed, so that a failure can be repeated
  int device = 0;                // index among the visible CUDA devices

  /// The shape for this scale.
  std::size_t choose(std::size_t full, std::size_t tiny) const { return scale == run_scale::full ? full : tiny; }
};

/// The settings of this process, set once by main before the first case.
const run_settings &current_settings();
void set_current_settings(const run_settings &settings);

} // namespace gpucert
