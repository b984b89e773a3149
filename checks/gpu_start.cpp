// SPDX-License-Identifier: Apache-2.0
// Check gpu_start: what does the driver say of GPUs that it could not start? The specific lines name causes; that the
// start failed at all is a symptom, whose three numbers depend on the build and are not looked at.
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "node/evidence.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

struct cause {
  kernel_topic topic;
  std::string_view id;
  std::string_view saw;
  std::string_view expected;
  std::optional<int> xid; // says the same: check xid reports it
};

constexpr std::array<cause, 5> causes{{
    {kernel_topic::aux_power_missing, "hw.aux-power-missing", "a power cable is missing", "all power cables connected",
     54},
    {kernel_topic::fell_off_bus, "hw.fell-off-bus", "no answer on PCIe", "a GPU that answers", 79},
    {kernel_topic::gpu_firmware_boot_failed, "hw.gpu-firmware-boot-failed", "its own boot firmware did not finish",
     "a GPU that has started by itself", std::nullopt},
    {kernel_topic::inforom_problem, "hw.inforom-problem", "the InfoROM is corrupt", "readable board data", 93},
    {kernel_topic::gsp_bad_state, "gsp.bad-state", "memory of an earlier run is still protected",
     "a GPU that was reset since", std::nullopt},
}};

constexpr std::array<kernel_topic, 3> failed_starts{kernel_topic::rm_init_failed, kernel_topic::probe_failed,
                                                    kernel_topic::pci_region_invalid};

bool is_reported_as_xid(const kernel_log &log, const cause &known, const std::optional<std::string> &address) {
  return known.xid && std::any_of(log.xids.begin(), log.xids.end(), [&](const xid_event &event) {
           return !event.is_sxid && event.xid == *known.xid && (!address || event.address == address);
         });
}

void judge_cause(const node_evidence &node, const cause &known, judgement &result) {
  std::vector<std::optional<std::string>> told; // one finding for each GPU
  for (const kernel_statement &statement : node.log->statements) {
    if (statement.topic != known.topic || is_reported_as_xid(*node.log, known, statement.address) ||
        std::find(told.begin(), told.end(), statement.address) != told.end())
      continue;
    told.push_back(statement.address);
    result.add(known.id)
        .saw("{}: {}", gpu_of(statement.address), known.saw)
        .expected("{}", known.expected)
        .read_from(node.log.source, line_of(statement));
  }
}

bool is_failed_start(const kernel_statement &statement) {
  return std::find(failed_starts.begin(), failed_starts.end(), statement.topic) != failed_starts.end();
}

void judge_failed_start(const node_evidence &node, judgement &result) {
  const auto &statements = node.log->statements;
  const auto first = std::find_if(statements.begin(), statements.end(), is_failed_start);
  if (first == statements.end() || all_gpus_answer(node))
    return; // a start that failed in the initramfs and was repeated later is no fault
  constexpr std::size_t most_lines = 4;
  finding &found = result.add("driver.gpu-init-failed")
                       .saw("the driver could not start {}", gpu_of(first->address))
                       .expected("every GPU started");
  for (const kernel_statement &statement : statements)
    if (is_failed_start(statement) && found.evidence().size() < most_lines)
      found.read_from(node.log.source, line_of(statement));
}

void judge_gpu_start(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.log.is_known())
    return; // check xid says so
  for (const cause &known : causes)
    judge_cause(node, known, result);
  judge_failed_start(node, result);
}

const check_registration registration{
    {"gpu_start", "what does the driver say of GPUs that it could not start?", false, judge_gpu_start}};

} // namespace
} // namespace gpucert
