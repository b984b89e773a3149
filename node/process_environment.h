// SPDX-License-Identifier: Apache-2.0
// Environment variables that decide which libraries and GPUs a CUDA program gets.
#pragma once

#include "node/reading.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

class process_environment {
public:
  explicit process_environment(std::map<std::string, std::string, std::less<>> variables = {})
      : variables_(std::move(variables)) {}

  /// Nothing when the variable is not set; it may be set and empty.
  std::optional<std::string> get(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>> &all() const { return variables_; }
  /// The folders of LD_LIBRARY_PATH, in order.
  std::vector<std::string> library_folders() const;

private:
  std::map<std::string, std::string, std::less<>> variables_;
};

/// `env`: NAME=VALUE a line, also behind "export " or "ENV ". Only variables that concern CUDA, NVIDIA's tools and the
/// loader are kept; others are nobody's business.
process_environment parse_environment(std::string_view text);
bool concerns_gpu_programs(std::string_view variable);

/// Of a capture: the failing process's. Live: our own, never that of others. Of a tree nobody knows.
fact<process_environment> read_process_environment(host &node);

} // namespace gpucert
