// SPDX-License-Identifier: Apache-2.0
// The faults that a simulated node can have. To add one: an enumerator here, a row in fault_list.cpp, and the place
// that asks for it (search for the name of a neighbour).
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert::simulator {

enum class fault_name {
  module_older,
  no_module,
  context_hang,
  wrong_gemm_element,
  copy_bit_flip,
  crash,
  hang,
  slow_memory,
  driver_too_old,
  launch_error,
  malloc_fail,
  ecc_uncorrected,
  thermal_throttle,
  xid,
  system_not_ready,
  missing_gpu,
};

/// A word of the command line that is no profile, no fault, or no argument of its fault. The text is one line.
class wrong_simulation : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

struct fault {
  fault_name name = {};
  std::optional<long long> number;        // first argument, where it is a number
  std::optional<long long> second_number; // launch-error's code
  std::string text;                       // the argument as written; a case id of crash
};

/// What the list of a user's words may hold, for the manual and messages.
struct fault_description {
  fault_name name;
  std::string_view word;     // "slow-memory"
  std::string_view argument; // "PERCENT"; empty: takes none
  std::string_view summary;
  std::string_view usual = {}; // the argument of the bare word: "40"
};
const std::vector<fault_description> &known_faults();

class fault_list {
public:
  /// Reads "name[:argument],..."; without an argument it is the usual one, and an empty text is a healthy node. Throws
  /// wrong_simulation.
  static fault_list parse(std::string_view text);

  const fault *find(fault_name name) const;
  bool has(fault_name name) const { return find(name) != nullptr; }
  bool is_empty() const { return faults_.empty(); }

private:
  std::vector<fault> faults_;
};

} // namespace gpucert::simulator
