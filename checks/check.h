// SPDX-License-Identifier: Apache-2.0
// A check judges evidence and reads nothing. To add one: a file checks/NAME.cpp with a function
// `void judge_NAME(const node_evidence &, const expectations &, judgement &)` and a check_registration of it.
#pragma once

#include "checks/finding.h"
#include "node/reading.h"
#include "node/registry.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct node_evidence;

/// What the operator says that this node should be.
struct expectations {
  std::optional<int> gpu_count;
};

/// Something that a check needed and nobody knows.
struct unknown_fact {
  std::string what;   // "version of the loaded module"
  std::string source; // where it would stand
  std::string why;    // why it could not be read
};

/// What one check has to say.
class judgement {
public:
  /// A finding of the catalogue; the reference stays valid.
  finding &add(std::string_view id) { return findings_.emplace_back(id); }

  /// The check could not be made, or not in full, for want of this fact.
  void cannot_tell(unknown_fact unknown) { unknown_.push_back(std::move(unknown)); }
  template <class Value> void cannot_tell(std::string_view what, const fact<Value> &missing) {
    unknown_.push_back({std::string(what), missing.source, missing.problem.value_or("the node has none")});
  }

  const std::deque<finding> &findings() const { return findings_; }
  const std::vector<unknown_fact> &unknown() const { return unknown_; }

private:
  std::deque<finding> findings_;
  std::vector<unknown_fact> unknown_;
};

struct check {
  std::string_view name;    // its file's stem
  std::string_view summary; // what is examined, one line
  /// True for the few without which nobody can say that a stack is coherent: unknown there makes the node unknown.
  bool decides = false;
  void (*judge)(const node_evidence &, const expectations &, judgement &) = nullptr;
};

struct check_registration {
  explicit check_registration(const check &unit) { registry<check>::add(unit); }
};

inline const std::vector<check> &all_checks() { return registry<check>::units(); }

} // namespace gpucert
