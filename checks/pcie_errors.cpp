// SPDX-License-Identifier: Apache-2.0
// Check pcie_errors: does the kernel report errors on the PCIe link of a GPU (AER)? Links of other devices are not
// ours.
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "node/evidence.h"

#include <algorithm>
#include <map>

namespace gpucert {
namespace {

/// By the PCI list; where nobody knows that, by the driver which the line names.
bool is_of_gpu(const node_evidence &node, const kernel_statement &statement) {
  if (!node.gpus.is_known())
    return statement.text.starts_with("nvidia ");
  return std::any_of(node.gpus->begin(), node.gpus->end(),
                     [&](const pci_gpu &gpu) { return gpu.address == statement.address; });
}

bool is_uncorrected(const kernel_statement *statement) {
  return statement->topic == kernel_topic::pcie_error_uncorrected;
}

void report(const node_evidence &node, const std::string &address, const std::vector<const kernel_statement *> &lines,
            judgement &result) {
  constexpr std::size_t most_lines = 3;
  const bool is_grave = std::any_of(lines.begin(), lines.end(), is_uncorrected);
  int count = 0;
  for (const kernel_statement *line : lines)
    count += line->count;
  finding &found =
      result.add("hw.pcie-errors")
          .saw("GPU {}: {} messages of {} PCIe errors", address, count, is_grave ? "uncorrected" : "corrected")
          .expected("none");
  for (std::size_t index = 0; index < std::min(lines.size(), most_lines); ++index)
    found.read_from(node.log.source, line_of(*lines[index]));
  if (is_grave)
    found.note("Uncorrected: a transfer was lost. Take the GPU out of service until the cause is found.");
}

void judge_pcie_errors(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.log.is_known())
    return; // check xid says so
  std::map<std::string, std::vector<const kernel_statement *>> by_gpu;
  for (const kernel_statement &statement : node.log->statements)
    if (statement.address && is_of_gpu(node, statement) &&
        (statement.topic == kernel_topic::pcie_error_corrected || is_uncorrected(&statement)))
      by_gpu[*statement.address].push_back(&statement);
  for (const auto &[address, lines] : by_gpu)
    report(node, address, lines, result);
}

const check_registration registration{
    {"pcie_errors", "does the kernel report errors on the PCIe link of a GPU?", false, judge_pcie_errors}};

} // namespace
} // namespace gpucert
