// SPDX-License-Identifier: Apache-2.0
// The exit codes of every verb. 1 is used by no verb of its own accord: systemd, probes, CI and apt read it as
// "something failed", which a warning is not; and shells use it for their own mistakes.
#pragma once

namespace gpucert {

enum class exit_code : int {
  pass = 0,              // warnings are printed, not coded
  monitored_problem = 1, // only where --format follows the convention of a monitoring system
  fail = 2,              // a fault was found
  unknown = 3,           // inconclusive, incomplete, internal error, not a GPU node
  usage = 64,            // the command line is wrong (EX_USAGE of sysexits.h)
};

} // namespace gpucert
