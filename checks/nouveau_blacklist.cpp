// SPDX-License-Identifier: Apache-2.0
// Check nouveau_blacklist: where nouveau was loaded in this boot, does anything keep it away from the next one?
//
// nouveau and nvidia race for the GPU at each boot. A node without a blacklist whose kernel has no nouveau runs no
// risk, so that only one that has seen nouveau is warned of.
#include "checks/check.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

/// Where nouveau was seen in this boot.
std::optional<evidence_item> seen_in_this_boot(const node_evidence &node) {
  if (node.modules.has("nouveau") == true)
    return evidence_item{node.modules.names.source, "nouveau is loaded"};
  if (!node.log.is_known())
    return std::nullopt;
  const auto said = std::find_if(node.log->statements.begin(), node.log->statements.end(),
                                 [](const kernel_statement &line) { return line.topic == kernel_topic::nouveau; });
  if (said == node.log->statements.end())
    return std::nullopt;
  return evidence_item{node.log.source, said->text};
}

void judge_nouveau_blacklist(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || has_driver(node) != true || !node.nouveau_is_blacklisted.is_known() ||
      *node.nouveau_is_blacklisted)
    return;
  if (const auto seen = seen_in_this_boot(node))
    result.add("driver.nouveau-not-blacklisted")
        .saw("nouveau came up in this boot, and nothing keeps it from the next one")
        .expected("a blacklist of nouveau, also in the initramfs")
        .read_from(seen->source, seen->text)
        .read_from(node.nouveau_is_blacklisted.source, "no blacklist of nouveau");
}

const check_registration registration{
    {"nouveau_blacklist", "is nouveau kept from taking the GPU at the next boot?", false, judge_nouveau_blacklist}};

} // namespace
} // namespace gpucert
