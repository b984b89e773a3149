// SPDX-License-Identifier: Apache-2.0
// The one clock of measurements. The simulator replaces it by its virtual time: one of the three places outside
// simulator/ that know of it. Deadlines and watchdogs never use it.
#pragma once

#include "harness/work.h"

#include <string>

namespace gpucert {

/// Microseconds since some fixed moment.
double now_us();

/// Tells the simulator's cost model what each of the launches and copies that follow is to be charged with, as long as
/// this object lives: at tiny scale a case does less than what it stands for. A case whose operation is `launches`
/// launches is charged so that they sum up to `per_operation`. Elsewhere this does nothing.
class announced_work {
public:
  explicit announced_work(const work &per_operation, int launches = 1);
  ~announced_work();
  announced_work(const announced_work &) = delete;
  announced_work &operator=(const announced_work &) = delete;

  /// Whether a cost model listens: only then may a rate be computed from work that was not done.
  static bool is_charged();
};

/// Tells the simulator which case runs, for as long as this object lives: its faults can strike a single one.
class announced_case {
public:
  explicit announced_case(const std::string &id);
  ~announced_case();
  announced_case(const announced_case &) = delete;
  announced_case &operator=(const announced_case &) = delete;
};

} // namespace gpucert
