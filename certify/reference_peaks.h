// SPDX-License-Identifier: Apache-2.0
// What a GPU can reach by its datasheet, and the share below which a measurement is a fault and no variation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// The limit of one kind of metric on one GPU.
struct tripwire {
  double peak;  // in the unit of the metric: GB/s or TFLOPS
  double share; // of the peak, 0 to 1
  std::string source;

  double limit() const { return peak * share; }
};

/// `gpu_name` as CUDA gives it ("NVIDIA H200"), `kind` as in metric::peak_kind. Nothing where results/reference has no
/// figure: then a metric is measured and not judged.
std::optional<tripwire> find_tripwire(std::string_view gpu_name, std::string_view kind);

} // namespace gpucert
