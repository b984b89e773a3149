// SPDX-License-Identifier: Apache-2.0
// Calls a library that opens files itself, and so may block where guarded_reader cannot help, in a child process.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace gpucert {

/// What came of a guarded call.
struct guarded_call_result {
  std::optional<std::string> text; // as the function returned it
  bool has_ended = false;          // false: the deadline passed, or the child died
};

/// Runs `function` in a child that is killed at the deadline, and given up when it cannot be killed (state D).
guarded_call_result call_guarded(const std::function<std::optional<std::string>()> &function,
                                 std::chrono::milliseconds deadline);

} // namespace gpucert
