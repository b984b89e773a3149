// SPDX-License-Identifier: Apache-2.0
// The two verdicts of an acceptance run, kept apart: a node cannot stay out of service until it has rebooted three
// times.
#pragma once

#include "certify/acceptance_record.h"
#include "checks/stack_report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

enum class verdict_word {
  pass,
  warn,
  fail,
  inconclusive, // the data cannot tell
  incomplete,   // something expected did not run
  invalid,      // a guard failed: what ran says nothing about this node
};
std::string_view name_of(verdict_word word); // "PASS"
std::optional<verdict_word> parse_verdict_word(std::string_view word);

struct verdict {
  verdict_word word = verdict_word::incomplete;
  std::vector<std::string> reasons; // of everything but pass

  friend bool operator==(const verdict &, const verdict &) = default;
};

struct gpu_verdict {
  int index = 0;
  verdict fit;
};

struct verdicts {
  verdict return_to_service; // the exit code, systemd, schedulers and probes follow it
  verdict certifiable;       // gpucert certify needs it
  std::vector<gpu_verdict> gpus;
};

/// Pure: the same record and stack give the same verdicts. `libcuda_of_driver` is where the node's driver has libcuda,
/// after all links; absent where that is not known.
verdicts judge_acceptance(const acceptance_record &record, const stack_report &stack,
                          const std::optional<std::string> &libcuda_of_driver);

} // namespace gpucert
