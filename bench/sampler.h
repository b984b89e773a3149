// SPDX-License-Identifier: Apache-2.0
// The measuring protocol: verify, warm up, take samples until the median is known well enough, verify again.
//
// It knows nothing of CUDA: what is measured comes as functions, so that the protocol itself can be tested.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// What is measured. Launch after launch takes the next one of its rotating sets of buffers.
struct measured_operation {
  /// Launches so many times and says how many microseconds all of it took.
  std::function<double(int launches)> run_us;
  /// Fills every output with values that no correct result has. Empty: there are no outputs.
  std::function<void()> poison;
  /// What is wrong with the outputs of all sets, after each was written; nothing when they are right.
  std::function<std::optional<std::string>()> find_wrong_result;
  int sets = 1;
};

/// How long to warm up and how much to sample.
struct sampling_rule {
  double warm_up_us = 20e3; // of measured time, and 3 launches at least
  // A sample much longer than the resolution of CUDA events (0.5 us) and the gap between two of them.
  double least_sample_us = 200;
  int most_launches_per_sample = 1000;
  int least_samples = 10;
  int most_samples = 1000;
  double least_measured_us = 0.5e6; // before the stop rule is asked
  double good_error = 0.005;        // of the median, relative
  double most_seconds = 15;         // of real time
};

enum class stop_reason {
  precise,    // the median is known to good_error
  settled,    // the noise no longer moves: more samples would not help
  sample_cap, // most_samples
  time_cap,   // most_seconds
};
std::string_view name_of(stop_reason reason);

/// Every sample that was taken, outliers too.
struct sampling {
  std::vector<double> us_per_launch;
  int launches_per_sample = 1;
  stop_reason stopped_by = stop_reason::sample_cap;
  /// A wrong result, and whether it was found before or after the timing. Then the times mean nothing.
  std::optional<std::string> wrong_result;
  /// Why there is no valid time: too few samples, or times that are none. Never NaN instead.
  std::optional<std::string> invalid;
};

/// `real_seconds` is for the cap on time, which must hold whatever clock the times come from.
sampling take_samples(const measured_operation &operation, const sampling_rule &rule,
                      const std::function<double()> &real_seconds);
sampling take_samples(const measured_operation &operation, const sampling_rule &rule);

} // namespace gpucert
