// SPDX-License-Identifier: Apache-2.0
// Check pcie_link: is the PCIe link of each GPU as wide and fast as card and slot allow, and free of errors? An idle
// GPU lowers its speed on purpose, and a slot that is narrower than the card is no fault.
#include "checks/check.h"
#include "node/evidence.h"

#include <algorithm>
#include <tuple>

namespace gpucert {
namespace {

using enum gpu_quantity;

// Busier than this, a GPU has no reason to save power on its link.
constexpr long long busy_percent = 20;
// A rollover is four replays of one packet in a row, after which the link trains anew: a sound link has none. Single
// replays come up in the life of any link; a bit error rate of 10^-12 makes up to 31 in a minute of full load.
constexpr long long most_replays = 10000;

const gpu_state *state_at(const node_evidence &node, const std::string &address) {
  if (node.gpu_states.is_known())
    for (const gpu_state &gpu : *node.gpu_states)
      if (gpu.address == address)
        return &gpu;
  return nullptr;
}

/// 0 where nobody knows.
int allowed(const std::optional<int> &card, const std::optional<int> &port) {
  return card && port ? std::min(*card, *port) : 0;
}

bool is_busy(const gpu_state *gpu) { return gpu != nullptr && gpu->value(utilization).value_or(0) >= busy_percent; }

std::string gt_per_s(int tenths) { return fmt::format("{}.{} GT/s", tenths / 10, tenths % 10); }

void report_slow(std::string_view label, bool busy, const std::string &now, const std::string &wanted,
                 const evidence_item &seen, judgement &result) {
  result.add(busy ? "hw.pcie-link-degraded" : "hw.pcie-idle-downshift")
      .saw("{}: link at {}{}", label, now, busy ? " under load" : ", idle")
      .expected("{}{}", wanted, busy ? "" : " under load")
      .read_from(seen.source, seen.text);
}

/// By NVML, whose maximum is that of card and slot together.
void judge_by_nvml(const gpu_state &gpu, judgement &result) {
  const gpu_statement *width = gpu.find(pcie_width), *width_max = gpu.find(pcie_width_max);
  if (width != nullptr && width_max != nullptr && width->last() > 0 && width->last() < width_max->last()) {
    result.add("hw.pcie-link-degraded")
        .saw("{}: {} PCIe lanes", gpu.label(), width->last())
        .expected("{} lanes, as card and slot allow", width_max->last())
        .read_from(width->source, width->text)
        .read_from(width_max->source, width_max->text);
    return;
  }
  const gpu_statement *speed = gpu.find(pcie_generation), *speed_max = gpu.find(pcie_generation_max);
  if (speed != nullptr && speed_max != nullptr && speed->last() > 0 && speed->last() < speed_max->last())
    report_slow(gpu.label(), is_busy(&gpu), fmt::format("generation {}", speed->last()),
                fmt::format("generation {}", speed_max->last()), {speed->source, speed->text + "; " + speed_max->text},
                result);
}

/// Four or more GPUs of one model whose link is alike, and this one narrower: it is not the board's design.
bool is_narrower_than_equals(const node_evidence &node, const pci_link &link) {
  const auto model_of = [&](const std::string &address) {
    for (const pci_gpu &gpu : *node.gpus)
      if (gpu.address == address)
        return gpu.device_id;
    return std::optional<std::string>();
  };
  constexpr int equals_that_tell = 3;
  int equals = 0;
  for (const pci_link &other : node.pci_links) {
    if (other.address == link.address || model_of(other.address) != model_of(link.address))
      continue;
    if (!other.now.width || other.now.width <= link.now.width)
      return false;
    ++equals;
  }
  return equals >= equals_that_tell;
}

void judge_by_kernel(const node_evidence &node, const pci_link &link, judgement &result) {
  const std::string label = "GPU " + link.address;
  const int lanes = allowed(link.card.width, link.port.width);
  if (link.now.width && (*link.now.width < lanes || is_narrower_than_equals(node, link))) {
    result.add("hw.pcie-link-degraded")
        .saw("{}: {} PCIe lanes", label, *link.now.width)
        .expected("{}", *link.now.width < lanes ? fmt::format("{} lanes, as card and slot allow", lanes)
                                                : "as many as the other GPUs of this model")
        .read_from(link.source, fmt::format("current_link_width {}, max_link_width {}", *link.now.width,
                                            link.card.width.value_or(0)));
    return;
  }
  const int speed = allowed(link.card.tenth_gt_per_s, link.port.tenth_gt_per_s);
  if (link.now.tenth_gt_per_s && *link.now.tenth_gt_per_s < speed)
    report_slow(label, is_busy(state_at(node, link.address)), gt_per_s(*link.now.tenth_gt_per_s), gt_per_s(speed),
                {link.source, "current_link_speed " + gt_per_s(*link.now.tenth_gt_per_s)}, result);
}

/// Errors that cost a transfer, and packets that the link keeps repeating.
void judge_errors(const gpu_state &gpu, judgement &result) {
  for (const auto &[quantity, limit, what] : {std::tuple{pcie_fatal_errors, 0LL, "fatal PCIe errors"},
                                              std::tuple{pcie_replay_rollovers, 0LL, "replay rollovers"},
                                              std::tuple{pcie_replays, most_replays, "PCIe replays"}})
    if (const gpu_statement *count = gpu.find(quantity); count != nullptr && count->last() > limit)
      result.add("hw.pcie-errors")
          .saw("{}: {} {}", gpu.label(), count->last(), what)
          .expected("at most {}", limit)
          .read_from(count->source, count->text);
}

void judge_kernel_errors(const pci_link &link, judgement &result) {
  const long long fatal = link.fatal_errors.value_or(0), nonfatal = link.nonfatal_errors.value_or(0);
  if (fatal + nonfatal == 0)
    return;
  result.add("hw.pcie-errors")
      .saw("GPU {}: {} fatal and {} non-fatal PCIe errors since boot", link.address, fatal, nonfatal)
      .expected("none")
      .read_from(link.source, fmt::format("aer_dev_fatal {}, aer_dev_nonfatal {}", fatal, nonfatal));
}

void judge_pcie_link(const node_evidence &node, const expectations &, judgement &result) {
  if (node.gpu_states.is_known())
    for (const gpu_state &gpu : *node.gpu_states) {
      judge_by_nvml(gpu, result);
      judge_errors(gpu, result);
    }
  for (const pci_link &link : node.pci_links) {
    const gpu_state *gpu = state_at(node, link.address);
    if (gpu == nullptr || gpu->find(pcie_width) == nullptr) // else NVML has said it
      judge_by_kernel(node, link, result);
    judge_kernel_errors(link, result);
  }
}

const check_registration registration{
    {"pcie_link", "is the PCIe link of each GPU as wide and fast as card and slot allow?", false, judge_pcie_link}};

} // namespace
} // namespace gpucert
