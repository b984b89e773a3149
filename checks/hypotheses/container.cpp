// SPDX-License-Identifier: Apache-2.0
// Hypothesis container: was it the container, or did the kernel kill a process for want of memory?
#include "checks/hypothesis.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

ruling judge_container(const node_evidence &node, const std::vector<std::string> &present) {
  const auto of_container =
      std::find_if(present.begin(), present.end(), [](const std::string &id) { return id.starts_with("container."); });
  if (of_container != present.end())
    return {ruling_word::not_ruled_out, fmt::format("see {}", *of_container), {}};
  if (!node.log.is_known())
    return {ruling_word::unknown, "the kernel log could not be read", {}};
  for (const kernel_statement &said : node.log->statements)
    if (said.topic == kernel_topic::out_of_memory_killer)
      return {ruling_word::not_ruled_out, "the kernel killed a process for memory", {{node.log.source, said.text}}};
  const bool is_on_host = std::any_of(present.begin(), present.end(), [](const std::string &id) {
    return id.starts_with("driver.") || id.starts_with("hw.") || id.starts_with("nodes.");
  });
  return {ruling_word::ruled_out,
          is_on_host ? "the OOM killer did nothing, and the fault is on the host, outside every container"
                     : "the OOM killer did nothing, and nothing points to a container",
          {{node.log.source, "no word of the OOM killer"}}};
}

const hypothesis_registration registration{{"container", "was it the container, or the OOM killer?", judge_container}};

} // namespace
} // namespace gpucert
