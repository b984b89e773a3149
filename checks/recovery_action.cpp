// SPDX-License-Identifier: Apache-2.0
// Check recovery_action: does the kernel log end with a GPU that waits for a reset, a reboot or a drain? Xid 154 tells
// each change of that, so that the last one of a GPU holds. The names of the actions differ by branch.
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "node/evidence.h"

#include <map>

namespace gpucert {
namespace {

constexpr int xid_recovery_action = 154;

/// "0x2 (OS Reboot)" of "GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)"; empty where it names none.
std::string_view new_action(std::string_view body) {
  const auto at = body.rfind(" to ");
  return at == body.npos ? std::string_view() : body.substr(at + 4);
}

bool is_none(std::string_view action) { return action.starts_with("0x0") || action.find("None") != action.npos; }

/// NVML says what holds now; the log what held when it was written.
bool is_over(const node_evidence &node, const std::optional<std::string> &address) {
  const nvml_device *device = device_at(node, address);
  return device != nullptr && device->field("NVML_FI_DEV_GET_GPU_RECOVERY_ACTION") == 0;
}

void judge_recovery_action(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.log.is_known())
    return; // check xid says so
  std::map<std::optional<std::string>, const xid_event *> last;
  for (const xid_event &event : node.log->xids)
    if (!event.is_sxid && event.xid == xid_recovery_action)
      last[event.address] = &event;
  for (const auto &[address, event] : last) {
    const std::string_view action = new_action(event->body);
    if (is_none(action) || is_over(node, address))
      continue;
    result.add("hw.recovery-action-pending")
        .saw("{} asks for: {}", gpu_of(address), action.empty() ? std::string_view(event->body) : action)
        .expected("no pending action (None)")
        .read_from(node.log.source, line_of(*event))
        .note("The error that stands before this line is the cause.");
  }
}

const check_registration registration{
    {"recovery_action", "does a GPU wait for a reset, a reboot or a drain?", false, judge_recovery_action}};

} // namespace
} // namespace gpucert
