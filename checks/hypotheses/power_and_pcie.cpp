// SPDX-License-Identifier: Apache-2.0
// Hypothesis power_and_pcie: has a GPU lost power, lanes or the bus? sysfs and the kernel log say it without the
// driver.
#include "checks/hypothesis.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <array>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 6> findings_of_power{
    "hw.fell-off-bus", "hw.aux-power-missing", "hw.pcie-link-degraded", "hw.pcie-errors",
    "hw.no-gpu",       "hw.gpu-missing"};

bool is_of_pcie(const kernel_statement &said) {
  return said.topic == kernel_topic::fell_off_bus || said.topic == kernel_topic::aux_power_missing ||
         said.topic == kernel_topic::pcie_error_corrected || said.topic == kernel_topic::pcie_error_uncorrected;
}

/// The links of all GPUs as sysfs gives them; nothing where one has no width. A link that idles is slow, never narrow.
std::optional<std::vector<evidence_item>> describe_links(const node_evidence &node) {
  std::vector<evidence_item> links;
  if (!node.gpus.is_known() || node.gpus->empty() || node.pci_links.size() != node.gpus->size())
    return std::nullopt;
  for (const pci_link &link : node.pci_links) {
    if (!link.now.width || !link.card.width)
      return std::nullopt;
    links.push_back({link.source, fmt::format("{}: x{} of x{}", link.address, *link.now.width, *link.card.width)});
  }
  return links;
}

ruling judge_power_and_pcie(const node_evidence &node, const std::vector<std::string> &present) {
  if (const auto id = first_present(present, findings_of_power); !id.empty())
    return {ruling_word::not_ruled_out, fmt::format("see {}", id), {}};
  if (!node.log.is_known())
    return {ruling_word::unknown, "the kernel log could not be read", {}};
  for (const kernel_statement &said : node.log->statements)
    if (is_of_pcie(said))
      return {ruling_word::not_ruled_out, "the kernel reported errors of the bus", {{node.log.source, said.text}}};
  auto links = describe_links(node);
  if (!links)
    return {ruling_word::unknown, "the widths of the PCIe links could not be read", {}};
  links->push_back({node.log.source, "no error of the bus"});
  return {ruling_word::ruled_out, "no GPU has lost lanes or left the bus", *std::move(links)};
}

const hypothesis_registration registration{{"power_and_pcie", "was it power, or the PCIe link?", judge_power_and_pcie}};

} // namespace
} // namespace gpucert
