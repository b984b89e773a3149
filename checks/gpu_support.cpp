// SPDX-License-Identifier: Apache-2.0
// Check gpu_support: can this release, and this flavour of the module, drive the GPUs of the node?
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "node/evidence.h"

#include <charconv>

namespace gpucert {
namespace {

// NVIDIA numbers its chips by generation: the first Turing is 0x1e02, and Pascal and Volta end at 0x1dff.
constexpr unsigned first_turing = 0x1e00;

std::optional<unsigned> number_of(const pci_gpu &gpu) {
  if (!gpu.device_id || !gpu.device_id->starts_with("0x"))
    return std::nullopt;
  unsigned number = 0;
  const char *const end = gpu.device_id->data() + gpu.device_id->size();
  const auto [stop, error] = std::from_chars(gpu.device_id->data() + 2, end, number, 16);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

bool judge_log(const node_evidence &node, kernel_topic topic, std::string_view id, std::string_view saw,
               judgement &result) {
  for (const kernel_statement &statement : node.log->statements)
    if (statement.topic == topic) {
      result.add(id)
          .saw("{}: {}", gpu_of(statement.address), saw)
          .expected("a driver that supports the GPU")
          .read_from(node.log.source, line_of(statement));
      return true;
    }
  return false;
}

/// Without a log line: the open module on a GPU that lacks the processor which it needs.
void judge_flavour(const node_evidence &node, judgement &result) {
  const bool is_open = node.modules.nvidia.is_known()
                           ? node.modules.nvidia->flavour == module_flavour::open
                           : node.module_on_disk.is_known() && node.module_on_disk->license == "Dual MIT/GPL";
  if (!is_open || !node.gpus.is_known())
    return;
  for (const pci_gpu &gpu : *node.gpus)
    if (const auto id = number_of(gpu); id && *id < first_turing && !is_passed_through(gpu)) {
      result.add("driver.module-flavour-unsupported")
          .saw("{}: device {} is older than Turing, and the module is of the open flavour", gpu.address, *gpu.device_id)
          .expected("the proprietary flavour")
          .read_from(node.gpus.source, fmt::format("{} {}", gpu.address, *gpu.device_id))
          .is_inferred_because("the generation is taken from the device number");
      return;
    }
}

void judge_gpu_support(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || all_gpus_answer(node))
    return;
  const bool is_logged =
      node.log.is_known() && judge_log(node, kernel_topic::gpu_unsupported_by_open, "driver.module-flavour-unsupported",
                                       "needs the other flavour of the module", result);
  const bool needs_open =
      node.log.is_known() && judge_log(node, kernel_topic::gpu_needs_open, "driver.module-flavour-unsupported",
                                       "needs the open flavour of the module", result);
  if (node.log.is_known())
    judge_log(node, kernel_topic::gpu_unsupported_by_release, "driver.gpu-unsupported-by-release",
              "is not supported by this release", result);
  if (!is_logged && !needs_open)
    judge_flavour(node, result);
}

const check_registration registration{
    {"gpu_support", "can this release and flavour drive the GPUs?", false, judge_gpu_support}};

} // namespace
} // namespace gpucert
