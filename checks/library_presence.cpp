// SPDX-License-Identifier: Apache-2.0
// Check library_presence: do the host and its containers have the driver's libraries?
//
// A message of nvidia-container-cli speaks of the host, that of a program in the container of the container.
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

bool host_has(const node_evidence &node, std::string_view soname) {
  return node.libraries.is_known() &&
         std::any_of(node.libraries->begin(), node.libraries->end(), [&](const driver_library &library) {
           return library.soname == soname && !library.is_32_bit && !library.is_compat_copy();
         });
}

bool host_has_any(const node_evidence &node) {
  return host_has(node, "libcuda.so.1") || host_has(node, "libnvidia-ml.so.1");
}

void judge_host(const node_evidence &node, judgement &result) {
  constexpr std::string_view id = "userspace.library-missing", expected = "libcuda.so.1 and libnvidia-ml.so.1";
  auto messages = messages_of(node, {message_topic::host_library_missing});
  for (const reported_message &message : messages_of(node, {message_topic::library_missing}))
    if (!is_from_container(message) && !host_has_any(node))
      messages.push_back(message);
  if (!messages.empty())
    return static_cast<void>(add_reported(result, id, messages).expected("{}", expected));
  constexpr int library_not_found = 12; // NVML_ERROR_LIBRARY_NOT_FOUND
  if (node.nvml.is_known() && node.nvml->init_return == library_not_found && has_driver(node) == true &&
      !host_has(node, "libnvidia-ml.so.1") && !node.platform.has_gpu_off_pci())
    result.add(id)
        .saw("NVML: library not found")
        .expected("{}", expected)
        .read_from(node.nvml.source, "nvmlInit_v2: 12");
}

void judge_container(const node_evidence &node, judgement &result) {
  auto messages = messages_of(node, {message_topic::runtime_not_configured, message_topic::tool_missing});
  bool is_inferred = false;
  for (const reported_message &message :
       messages_of(node, {message_topic::library_missing, message_topic::no_driver_found})) {
    if (!is_from_container(message) && !host_has_any(node))
      continue;
    is_inferred = is_inferred || !is_from_container(message);
    messages.push_back(message);
  }
  if (messages.empty())
    return;
  finding &found = add_reported(result, "container.library-missing", messages)
                       .expected("the host's driver libraries, injected into the container");
  if (is_inferred)
    found.is_inferred_because("the host has the library, so that the program runs where it was not injected");
}

/// PyTorch's words for CUDA error 35 with no driver at all, where nothing says whether it ran in a container.
void judge_no_driver(const node_evidence &node, judgement &result) {
  auto messages = messages_of(node, {message_topic::no_driver_found});
  std::erase_if(messages, [](const reported_message &message) { return is_from_container(message); });
  if (!messages.empty() && !host_has_any(node))
    add_reported(result, "userspace.cuda-no-device", messages)
        .expected("a driver that the program can load")
        .note("On the host, look for libcuda; in a container, start it with access to the GPU.");
}

void judge_library_presence(const node_evidence &node, const expectations &, judgement &result) {
  judge_host(node, result);
  judge_container(node, result);
  judge_no_driver(node, result);
}

const check_registration registration{
    {"library_presence", "do host and containers find the driver's libraries?", false, judge_library_presence}};

} // namespace
} // namespace gpucert
