// SPDX-License-Identifier: Apache-2.0
// Lines of the kernel log as evidence: when, what, how often.
#pragma once

#include "checks/finding.h"
#include "node/kernel_log.h"
#include "node/nvml_record.h"

#include <optional>
#include <string>

namespace gpucert {

struct node_evidence;

/// "4211 s after boot", or the wall time as written; empty where the log has neither.
std::string when_of(const xid_event &event);

/// "[4211.904411] Xid (PCI:0000:01:00): 79, ... (3 times)".
std::string line_of(const xid_event &event);
std::string line_of(const kernel_statement &statement);

/// "GPU 0000:01:00.0", or "a GPU" where the line names none.
std::string gpu_of(const std::optional<std::string> &address);

/// The GPU at this address as NVML knows it; nullptr where nobody knows.
const nvml_device *device_at(const node_evidence &node, const std::optional<std::string> &address);

/// True when NVML was asked and every GPU that this node keeps for itself answered: what the log says of a failed start
/// is then history.
bool all_gpus_answer(const node_evidence &node);

} // namespace gpucert
