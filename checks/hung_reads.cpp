// SPDX-License-Identifier: Apache-2.0
// Check hung_reads: did every file answer? A driver that hangs in the kernel shows as a read that never ends, and then
// nothing else that was read of this node may speak for its health.
#include "checks/check.h"
#include "node/evidence.h"

namespace gpucert {
namespace {

void judge_hung_reads(const node_evidence &node, const expectations &, judgement &result) {
  for (const std::string &path : node.hung_reads)
    result.cannot_tell({"what stands in " + path, path, "reading it never ended: the driver or a file system hangs"});
}

const check_registration registration{{"hung_reads", "did every file answer that was read?", true, judge_hung_reads}};

} // namespace
} // namespace gpucert
