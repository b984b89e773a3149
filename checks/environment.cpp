// SPDX-License-Identifier: Apache-2.0
// Check environment: do variables hide GPUs, or change what programs do?
#include "checks/message_evidence.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpucert {
namespace {

std::optional<long long> count_gpus(const node_evidence &node) {
  if (node.nvml.is_known())
    if (const auto count = node.nvml->value("nvmlDeviceGetCount_v2"); count && *count > 0)
      return count;
  for (const symptom &seen : node.symptoms)
    if (seen.source == "commands/nvidia_smi_l.txt") {
      long long count = 0;
      for (std::string_view rest = seen.text; !rest.empty();)
        count += take_line(rest).starts_with("GPU ") ? 1 : 0;
      return count > 0 ? std::optional(count) : std::nullopt;
    }
  if (node.gpus.is_known() && !node.gpus->empty())
    return static_cast<long long>(node.gpus->size());
  return std::nullopt;
}

/// An index of a GPU that there is, or a UUID, which is not looked up: captures do not keep it.
bool is_valid_entry(std::string_view entry, std::optional<long long> gpus) {
  if (entry.starts_with("GPU-") || entry.starts_with("MIG-"))
    return true;
  long long index = -1;
  const auto [stop, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  return error == std::errc{} && stop == entry.data() + entry.size() && index >= 0 && (!gpus || index < *gpus);
}

/// The first entry that CUDA does not take, "" for an empty list; nothing when all are valid.
std::optional<std::string> first_wrong_entry(std::string_view value, std::optional<long long> gpus) {
  if (trim(value).empty())
    return "";
  while (!value.empty()) {
    const auto comma = std::min(value.find(','), value.size());
    const std::string_view entry = trim(value.substr(0, comma));
    if (!is_valid_entry(entry, gpus))
      return std::string(entry);
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return std::nullopt;
}

void judge_visible_devices(const node_evidence &node, const process_environment &environment, judgement &result) {
  const auto value = environment.get("CUDA_VISIBLE_DEVICES");
  if (!value)
    return;
  const std::string source = node.userspace.environment.source;
  const auto messages = messages_of(node, {message_topic::invalid_device});
  if (value->find("MIG-") != std::string::npos && !messages.empty()) {
    add_reported(result, "mig.instance-not-visible", messages)
        .expected("one instance for a process, with index 0")
        .read_from(source, "CUDA_VISIBLE_DEVICES=" + *value);
    return;
  }
  const auto wrong = first_wrong_entry(*value, count_gpus(node));
  if (wrong || !messages.empty())
    result.add("env.cuda-visible-devices")
        .saw("CUDA_VISIBLE_DEVICES={}", *value)
        .expected("indices or UUIDs of GPUs of this node, or no such variable")
        .read_from(source, "CUDA_VISIBLE_DEVICES=" + *value);
}

void judge_debug(const node_evidence &node, const process_environment &environment, judgement &result) {
  // Those that DCGM warns of, and two that change timing.
  constexpr std::array<std::string_view, 11> names{"CUDA_LAUNCH_BLOCKING",
                                                   "CUDA_DEVICE_MAX_CONNECTIONS",
                                                   "CUDA_INJECTION32_PATH",
                                                   "CUDA_INJECTION64_PATH",
                                                   "CUDA_AUTO_BOOST",
                                                   "CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
                                                   "CUDA_COREDUMP_FILE",
                                                   "CUDA_PROFILE",
                                                   "CUDA_DEVICE_WAITS_ON_EXCEPTION",
                                                   "COMPUTE_PROFILE",
                                                   "CUDA_DEBUGGER_SOFTWARE_PREEMPTION"};
  std::string set;
  for (const std::string_view name : names)
    if (const auto value = environment.get(name); value && !value->empty() && *value != "0")
      set += fmt::format("{}={}\n", name, *value);
  if (!set.empty())
    result.add("env.debug-variables")
        .saw("{}", trim(set))
        .expected("none of these variables while results or speed are judged")
        .read_from(node.userspace.environment.source, set);
}

void judge_environment(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.userspace.environment.is_known())
    return; // of a tree, or a capture of a node: nobody asks for the variables of a process that is not at fault
  judge_visible_devices(node, *node.userspace.environment, result);
  judge_debug(node, *node.userspace.environment, result);
}

const check_registration registration{
    {"environment", "do variables hide GPUs or change what programs do?", false, judge_environment}};

} // namespace
} // namespace gpucert
