// SPDX-License-Identifier: Apache-2.0
// What a person sees while a long run goes on: one line that moves on a terminal, elsewhere a
// plain line for each part, and every ten seconds of a long one.
#pragma once

#include "certify/gpu_program.h"

#include <chrono>
#include <string>

namespace gpucert {

/// Writes to standard error, so that standard output stays for the result.
class progress {
public:
  progress();

  /// A part of the run begins: "conformance, GPU 0".
  void begin(std::string part);
  void update(const case_progress &now);
  /// It ended: "48 cases, 1 failed".
  void end(const std::string &result);

private:
  void rewrite(const std::string &line);
  std::string elapsed() const;

  bool is_terminal_;
  std::string part_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_write_;
};

} // namespace gpucert
