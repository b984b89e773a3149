// SPDX-License-Identifier: Apache-2.0
// What a person on call suspects first when CUDA fails: heat, power or the PCIe link, memory errors, the container or
// the OOM killer, somebody's hands. Each takes a quarter of an hour by hand; here each is ruled out by evidence, or not
// ruled out, or nobody can know. To add one: a file checks/hypotheses/NAME.cpp with a function
// `ruling judge_NAME(const node_evidence &, const std::vector<std::string> &)` and a hypothesis_registration of it.
#pragma once

#include "checks/finding.h"
#include "node/registry.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct node_evidence;

enum class ruling_word { ruled_out, not_ruled_out, unknown };
std::string_view to_string(ruling_word word);

struct ruling {
  ruling_word word = ruling_word::unknown;
  std::string why; // one sentence
  std::vector<evidence_item> evidence;
};

/// `present`: ids of the findings on this node, consequences included.
struct hypothesis {
  std::string_view name;     // its file's stem
  std::string_view question; // "was it heat or throttling?"
  ruling (*judge)(const node_evidence &, const std::vector<std::string> &present) = nullptr;
};

struct hypothesis_registration {
  explicit hypothesis_registration(const hypothesis &unit) { registry<hypothesis>::add(unit); }
};

struct judged_hypothesis {
  std::string name;
  std::string question;
  gpucert::ruling ruling;
};

std::vector<judged_hypothesis> judge_hypotheses(const node_evidence &node, const std::vector<std::string> &present);

/// The first of `present` that is among `ids`; empty where none is.
std::string_view first_present(const std::vector<std::string> &present, std::span<const std::string_view> ids);

} // namespace gpucert
