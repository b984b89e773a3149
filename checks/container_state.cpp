// SPDX-License-Identifier: Apache-2.0
// Check container_state: do containers get the files and devices of the driver that runs now?
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

/// Empty files are mount targets that an earlier driver left behind: "judge by size".
void judge_leftovers(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::library_empty});
  std::string empty_files;
  if (const auto &files = node.userspace.container.files; files.is_known()) {
    const auto loaded = claim_of_loaded_module(node);
    for (const library_file &file : *files)
      if (file.size_bytes == 0U && file.release && !(loaded && loaded->release == *file.release))
        empty_files += file.path + "\n";
  }
  if (messages.empty() && empty_files.empty())
    return;
  finding &found = messages.empty() ? result.add("container.injected-files-stale").saw("empty driver libraries")
                                    : add_reported(result, "container.injected-files-stale", messages);
  found.expected("no files of another driver in the container");
  if (!empty_files.empty())
    found.read_from(node.userspace.container.files.source, empty_files);
}

bool host_lists_gpus(const node_evidence &node) {
  return std::any_of(node.symptoms.begin(), node.symptoms.end(), [](const symptom &seen) {
    return seen.source == "commands/nvidia_smi_l.txt" && seen.text.find("GPU 0:") != std::string::npos;
  });
}

void judge_access(const node_evidence &node, judgement &result) {
  auto messages = messages_of(node, {message_topic::nvml_unknown_error});
  const auto &rules = node.userspace.container.rules;
  const bool is_denied = rules.is_known() && !allows_gpu(*rules);
  std::erase_if(messages, [&](const reported_message &message) {
    return !is_from_container(message) && !is_denied && !host_lists_gpus(node);
  });
  if (messages.empty() && !is_denied)
    return;
  finding &found = messages.empty() ? result.add("container.device-access-lost").saw("no rule for the GPU's devices")
                                    : add_reported(result, "container.device-access-lost", messages);
  found.expected("access to the devices of major 195");
  if (rules.is_known())
    found.read_from(rules.source, is_denied ? "no rule for c 195" : "rules allow c 195");
}

const check_registration registration{{"container_state", "do containers get the files and devices of this driver?",
                                       false, [](const node_evidence &node, const expectations &, judgement &result) {
                                         judge_leftovers(node, result);
                                         judge_access(node, result);
                                       }}};

} // namespace
} // namespace gpucert
