// SPDX-License-Identifier: Apache-2.0
// The CUDA device of this process, and the event that says on what a run takes place.
#pragma once

#include "harness/case_lines.h"
#include "harness/run_settings.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// A call of the CUDA runtime that failed. A node without a working driver is a value, not an exception.
struct cuda_failure {
  int code = 0;
  std::string reason; // the call, the error's name and text, and what the driver's version says about it

  friend bool operator==(const cuda_failure &, const cuda_failure &) = default;
};

/// Of libcuda; nothing when it could not be loaded or asked.
std::optional<int> read_cuda_driver_version();
/// Of libcudart.
std::optional<int> read_cuda_runtime_version();

/// Whether this build is too new for the driver: CUDA runs on drivers of its own major version and later.
/// Then nothing can be said about the node.
bool is_driver_too_old(std::optional<int> driver_version);

/// The number of visible devices.
std::optional<cuda_failure> read_device_count(int &count);

/// Makes the device current and creates its context. Nothing when that worked.
std::optional<cuda_failure> open_device(int index);

/// Of an open device.
std::optional<device_identity> read_device_identity(int index);

/// The first line of a run. `device` is absent where none could be opened.
run_event read_run_event(std::string_view program, const run_settings &settings,
                         const std::optional<device_identity> &device);

/// What the last calls and launches left behind, which no case reported. Clears it where it can be cleared.
struct leftover_error {
  cuda_failure failure;
  bool is_sticky = false; // the context is lost; every later call of this process fails
};
std::optional<leftover_error> take_leftover_error();

} // namespace gpucert
