// SPDX-License-Identifier: Apache-2.0
// Check reported_symptoms: what did programs say that names a fault, or at least that there is one?
//
// Most messages name no cause: their findings are symptoms, and give way to any cause that another check finds.
#include "checks/message_evidence.h"

#include <array>

namespace gpucert {
namespace {

struct symptom_row {
  message_topic topic;
  std::string_view finding;
  std::string_view expected;
};

constexpr std::array<symptom_row, 11> rows{{
    {message_topic::no_communication, "driver.no-communication", "an answer of the driver"},
    {message_topic::blocked_by_system, "driver.no-communication", "an answer of the driver"},
    {message_topic::no_devices, "driver.no-devices", "as many GPUs as the node has"},
    {message_topic::gpu_lost, "hw.fell-off-bus", "a GPU that answers on PCIe"},
    {message_topic::gpu_needs_reset, "hw.recovery-action-pending", "a GPU that needs no reset"},
    {message_topic::uncorrectable_ecc, "hw.ecc-uncorrected", "no uncorrectable memory error"},
    {message_topic::nvlink_error, "hw.nvlink-error", "no NVLink error"},
    {message_topic::device_file_missing, "nodes.device-files-missing", "the device files of the driver"},
    {message_topic::no_cuda_device, "userspace.cuda-no-device", "at least one CUDA device"},
    {message_topic::unknown_cuda_error, "userspace.cuda-unknown-error", "no error"},
    {message_topic::gl_failed, "userspace.gl-init-failed", "a GL context"},
}};

/// NVML's own word for a module that is not there. Where the module is known to be loaded, the program does not reach
/// it, as in a container without device files; where it is known not to be, check modules says so.
void judge_not_loaded(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::driver_not_loaded});
  const std::optional<bool> is_loaded = node.modules.has("nvidia");
  if (messages.empty() || is_loaded == false)
    return;
  finding &found = add_reported(result, is_loaded ? "driver.no-communication" : "driver.module-not-loaded", messages)
                       .expected("a loaded module that programs reach");
  if (!is_loaded)
    found.is_inferred_because("the list of loaded modules is not known; a program reports that there is no driver");
}

void judge_uvm(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::unified_memory_missing});
  const bool is_there = node.device_files.is_known() && has_device_file(*node.device_files, "/dev/nvidia-uvm");
  if (!messages.empty() && !is_there)
    add_reported(result, "nodes.uvm-missing", messages).expected("/dev/nvidia-uvm, which CUDA opens first");
}

/// NVML's "unknown error" has a check of its own where a container is involved.
void judge_unknown_nvml_error(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::nvml_unknown_error});
  if (!messages.empty() && !is_from_container(messages.front()) && !node.userspace.container.rules.is_known())
    add_reported(result, "driver.no-communication", messages)
        .expected("an answer of the driver")
        .note("If the program runs in a container, the container has lost its access to the GPU: start it again.");
}

void judge_reported_symptoms(const node_evidence &node, const expectations &, judgement &result) {
  for (const symptom_row &row : rows)
    if (const auto messages = messages_of(node, {row.topic}); !messages.empty())
      add_reported(result, row.finding, messages).expected("{}", row.expected);
  judge_not_loaded(node, result);
  judge_uvm(node, result);
  judge_unknown_nvml_error(node, result);
}

const check_registration registration{
    {"reported_symptoms", "what did programs report that names a fault?", false, judge_reported_symptoms}};

} // namespace
} // namespace gpucert
