// SPDX-License-Identifier: Apache-2.0
// Check nvlink: is a link down that should be up, or does one repeat its traffic? Cards without a bridge have inactive
// links by design, so that a GPU is compared with the switch ports of its board or with its equals.
#include "checks/check.h"
#include "node/evidence.h"

#include <algorithm>
#include <map>

namespace gpucert {
namespace {

using enum gpu_quantity;

/// From this many GPUs of one model on, the ones that agree tell what the board has.
constexpr std::ptrdiff_t gpus_that_tell = 4;

/// The number of links that all GPUs of this model but one have, at least; nothing where they do not agree.
std::optional<long long> usual_links(const std::vector<gpu_state> &gpus, const std::optional<std::string> &name) {
  std::map<long long, std::ptrdiff_t> votes;
  std::ptrdiff_t count = 0;
  for (const gpu_state &gpu : gpus)
    if (const auto links = gpu.value(nvlinks_active); links && gpu.name == name) {
      ++votes[*links];
      ++count;
    }
  if (count < gpus_that_tell)
    return std::nullopt;
  for (const auto &[links, voters] : votes)
    if (voters >= count - 1)
      return links;
  return std::nullopt;
}

void judge_active_links(const gpu_state &gpu, const std::vector<gpu_state> &all, judgement &result) {
  const gpu_statement *active = gpu.find(nvlinks_active);
  if (active == nullptr)
    return;
  const long long to_switch = gpu.value(nvlinks_to_switch).value_or(0);
  const long long wanted = std::max(to_switch, usual_links(all, gpu.name).value_or(0));
  if (active->last() >= wanted)
    return;
  finding &found =
      result.add("hw.nvlink-error")
          .saw("{}: {} NVLinks are active", gpu.label(), active->last())
          .expected("{}, as {}", wanted,
                    to_switch == wanted ? "many links lead to an NVSwitch" : "on the other GPUs of this model")
          .read_from(active->source, active->text);
  if (const gpu_statement *ports = gpu.find(nvlinks_to_switch))
    found.read_from(ports->source, ports->text);
}

void judge_growth(const gpu_state &gpu, gpu_quantity quantity, std::string_view what, judgement &result) {
  const gpu_statement *count = gpu.find(quantity);
  if (count == nullptr || !count->has_grown())
    return;
  result.add("hw.nvlink-error")
      .saw("{}: {} of an NVLink grow", gpu.label(), what)
      .expected("no new ones between two readings")
      .read_from(count->source, count->text);
}

void judge_nvlink(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.gpu_states.is_known())
    return; // check gpu_answers says so
  for (const gpu_state &gpu : *node.gpu_states) {
    judge_active_links(gpu, *node.gpu_states, result);
    judge_growth(gpu, nvlink_replays, "replays", result);
    judge_growth(gpu, nvlink_recoveries, "recoveries", result);
  }
}

const check_registration registration{{"nvlink", "are all NVLinks up and quiet?", false, judge_nvlink}};

} // namespace
} // namespace gpucert
