// SPDX-License-Identifier: Apache-2.0
// Check gpu_answers: does each GPU answer, and does it ask for something? A lost GPU, one that waits for a reset, and
// board data that cannot be read show here, whether or not the kernel log still has the reason.
#include "checks/check.h"
#include "node/evidence.h"
#include "node/text_lines.h"

#include <array>

namespace gpucert {
namespace {

constexpr int ret_corrupted_inforom = 14, ret_lost = 15, ret_reset_required = 16;

// NVML_GPU_RECOVERY_ACTION_* of nvml.h; branches name them differently, the numbers stay.
constexpr std::array<std::string_view, 8> recovery_actions{"none",
                                                           "reset the GPU",
                                                           "reboot the node",
                                                           "drain peer-to-peer traffic",
                                                           "drain and reset",
                                                           "recover the IMEX domain",
                                                           "reset the bus",
                                                           "reboot the system"};

std::string_view name_of_action(long long action) {
  return action > 0 && action < std::ssize(recovery_actions) ? recovery_actions[static_cast<std::size_t>(action)]
                                                             : "an action that this program does not know";
}

void judge_handle(const gpu_state &gpu, judgement &result) {
  const gpu_statement *handle = gpu.find(gpu_quantity::handle_return);
  if (handle == nullptr || handle->last() == 0)
    return;
  const auto ret = static_cast<int>(handle->last());
  const std::string_view id = ret == ret_lost                ? "hw.fell-off-bus"
                              : ret == ret_reset_required    ? "hw.recovery-action-pending"
                              : ret == ret_corrupted_inforom ? "hw.inforom-problem"
                                                             : "hw.gpu-missing";
  result.add(id)
      .saw("{} does not answer: {}", gpu.label(), nvml_return_name(ret))
      .expected("each GPU that NVML counts answers")
      .read_from(handle->source, handle->text);
}

void judge_recovery(const gpu_state &gpu, judgement &result) {
  const gpu_statement *action = gpu.find(gpu_quantity::recovery_action);
  if (action == nullptr || action->last() == 0)
    return;
  result.add("hw.recovery-action-pending")
      .saw("{} asks to {}", gpu.label(), name_of_action(action->last()))
      .expected("no pending action (none)")
      .read_from(action->source, action->text);
}

void judge_inforom(const gpu_state &gpu, judgement &result) {
  const gpu_statement *inforom = gpu.find(gpu_quantity::inforom_return);
  if (inforom == nullptr || inforom->last() != ret_corrupted_inforom)
    return;
  result.add("hw.inforom-problem")
      .saw("{}: the InfoROM is corrupt", gpu.label())
      .expected("an InfoROM that passes its validation")
      .read_from(inforom->source, inforom->text)
      .note("A GPU reset or a power cycle mends some cases; where the message stays, the board must be replaced.");
}

/// What nvidia-smi says of single GPUs while it lists the others. "GPU is lost" names the same fault as NVML's 15.
void judge_smi_words(const node_evidence &node, judgement &result) {
  for (const symptom &seen : node.symptoms) {
    std::string_view text = seen.text;
    while (!text.empty()) {
      const std::string_view line = trim(take_line(text));
      const bool is_lost = contains_ignoring_case(line, "GPU is lost");
      if (is_lost || contains_ignoring_case(line, "Unable to determine the device handle for"))
        result.add(is_lost ? "hw.fell-off-bus" : "hw.gpu-missing")
            .saw("{}", line)
            .expected("each GPU answers")
            .read_from(seen.source, std::string(line));
      else if (contains_ignoring_case(line, "infoROM is corrupted"))
        result.add("hw.inforom-problem")
            .saw("{}", line)
            .expected("an InfoROM that passes its validation")
            .read_from(seen.source, std::string(line));
    }
  }
}

void judge_gpu_answers(const node_evidence &node, const expectations &, judgement &result) {
  judge_smi_words(node, result);
  if (node.platform.has_gpu_off_pci())
    return;
  if (node.gpu_states.is_unknown() && node.gpus.is_known() && !node.gpus->empty())
    result.cannot_tell("health and settings of the GPUs", node.gpu_states);
  if (!node.gpu_states.is_known())
    return;
  for (const gpu_state &gpu : *node.gpu_states) {
    judge_handle(gpu, result);
    judge_recovery(gpu, result);
    judge_inforom(gpu, result);
  }
}

const check_registration registration{
    {"gpu_answers", "does each GPU answer, and does it ask for a reset or a repair?", false, judge_gpu_answers}};

} // namespace
} // namespace gpucert
