// SPDX-License-Identifier: Apache-2.0
#include "checks/hypothesis.h"

#include <algorithm>

namespace gpucert {

std::string_view to_string(ruling_word word) {
  switch (word) {
  case ruling_word::ruled_out:
    return "ruled out";
  case ruling_word::not_ruled_out:
    return "not ruled out";
  case ruling_word::unknown:
    break;
  }
  return "unknown";
}

std::vector<judged_hypothesis> judge_hypotheses(const node_evidence &node, const std::vector<std::string> &present) {
  std::vector<judged_hypothesis> judged;
  for (const hypothesis &unit : registry<hypothesis>::units())
    judged.push_back({std::string(unit.name), std::string(unit.question), unit.judge(node, present)});
  return judged;
}

std::string_view first_present(const std::vector<std::string> &present, std::span<const std::string_view> ids) {
  const auto found = std::find_if(present.begin(), present.end(), [&](const std::string &id) {
    return std::find(ids.begin(), ids.end(), std::string_view(id)) != ids.end();
  });
  return found == present.end() ? std::string_view() : std::string_view(*found);
}

} // namespace gpucert
