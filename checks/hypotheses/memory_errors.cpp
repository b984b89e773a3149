// SPDX-License-Identifier: Apache-2.0
// Hypothesis memory_errors: did the GPU report an error, of its memory or of anything else? What a GPU cannot correct
// it reports as an Xid, so the kernel log answers also where the counters of NVML cannot be read.
#include "checks/hypothesis.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <array>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 14> findings_of_errors{
    "hw.ecc-uncorrected", "hw.row-remap-failed",       "hw.row-remap-pending", "hw.memory-replacement-due",
    "hw.memory-watch",    "hw.nvlink-error",           "hw.xid-gpu-fault",     "hw.xid-watch",
    "gsp.crash",          "gsp.rpc-timeout",           "gsp.bad-state",        "hw.fell-off-bus",
    "hw.inforom-problem", "hw.recovery-action-pending"};

/// Errors that NVML counts since the driver was loaded, over all GPUs; nothing where one does not say.
std::optional<long long> uncorrected_errors(const node_evidence &node) {
  if (!node.nvml.is_known() || node.nvml->devices.empty())
    return std::nullopt;
  long long sum = 0;
  for (const nvml_device &device : node.nvml->devices) { // errorType 1: uncorrected; counterType 0: since load
    const auto count = device.functions.value("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}, {"counterType", 0}});
    if (!count)
      return std::nullopt;
    sum += *count;
  }
  return sum;
}

ruling judge_memory_errors(const node_evidence &node, const std::vector<std::string> &present) {
  if (const auto id = first_present(present, findings_of_errors); !id.empty())
    return {ruling_word::not_ruled_out, fmt::format("see {}", id), {}};
  if (!node.log.is_known())
    return {ruling_word::unknown, "the kernel log could not be read", {}};
  ruling result{ruling_word::ruled_out, "the kernel log has no Xid", {{node.log.source, "no Xid"}}};
  if (!node.log->xids.empty()) {
    const xid_event &first = node.log->xids.front();
    return {ruling_word::not_ruled_out, "the kernel log has errors of programs", {{node.log.source, first.text}}};
  }
  if (const auto errors = uncorrected_errors(node))
    result.evidence.push_back({node.nvml.source, fmt::format("{} uncorrected ECC errors", *errors)});
  else
    result.why += "; the ECC counters are not readable, but an error that matters would have raised one";
  return result;
}

const hypothesis_registration registration{
    {"memory_errors", "was it ECC, or any error that the GPU reports?", judge_memory_errors}};

} // namespace
} // namespace gpucert
