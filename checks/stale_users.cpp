// SPDX-License-Identifier: Apache-2.0
// Check stale_users: do processes or sandboxes still use libraries of another release than the module?
#include "checks/check.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view id = "userspace.stale-process";

/// A lone old client is such a process where the libraries match the module, or NVML works, or nothing speaks against.
void judge_clients(const node_evidence &node, judgement &result) {
  if (!node.log.is_known())
    return;
  const auto loaded = claim_of_loaded_module(node);
  const auto userspace = claim_of_userspace(node);
  const bool nvml_works = node.nvml.is_known() && node.nvml->init_return == 0;
  const bool nvml_fails = (node.nvml.is_known() && !nvml_works) || reported_mismatch(node).has_value();
  for (const api_mismatch &mismatch : node.log->api_mismatches) {
    if (mismatch.client >= mismatch.module.release || (loaded && loaded->release != mismatch.module.release))
      continue;
    const bool matches = userspace && loaded && may_be_same(*userspace, *loaded);
    if (!matches && !nvml_works && (userspace || nvml_fails))
      continue;
    finding &found = result.add(id)
                         .saw("a client of release {}{}, module {}", mismatch.client.text(),
                              mismatch.client_name ? " (" + *mismatch.client_name + ")" : "", mismatch.module.text())
                         .expected("no process with libraries of another release")
                         .read_from(node.log.source, fmt::format("API mismatch: client {}, kernel module {}",
                                                                 mismatch.client.text(), mismatch.module.text()));
    if (!matches && !nvml_works)
      found.is_inferred_because("the release of the installed libraries is not known");
    return;
  }
}

void judge_maps(const node_evidence &node, judgement &result) {
  const auto &holders = node.userspace.library_holders;
  const auto loaded = claim_of_loaded_module(node);
  if (!holders.is_known())
    return;
  if (holders->unreadable > 0)
    result.cannot_tell({fmt::format("libraries of {} processes", holders->unreadable), holders.source,
                        "of other users (run as root)"});
  if (holders->not_asked > 0)
    result.cannot_tell({fmt::format("libraries of {} processes", holders->not_asked), holders.source, "took too long"});
  if (!loaded || node.platform.has_gpu_off_pci())
    return;
  std::string old;
  std::size_t count = 0;
  for (const library_user &user : holders->list)
    if (user.is_deleted && user.release && *user.release != loaded->release && ++count <= 8)
      old += fmt::format("pid {} {}: {}\n", user.pid, user.command, user.path);
  if (count > 0)
    result.add(id)
        .saw("{} processes with libraries of another release than the module {}", count, loaded->release.text())
        .expected("no process with libraries of another release")
        .read_from(holders.source, old)
        .read_from(loaded->source, loaded->text);
}

void judge_sandboxes(const node_evidence &node, judgement &result) {
  const auto &runtimes = node.userspace.sandbox_runtimes;
  const auto loaded = claim_of_loaded_module(node);
  if (!loaded || !runtimes.is_known() || runtimes->empty() ||
      std::any_of(runtimes->begin(), runtimes->end(),
                  [&](const sandbox_runtime &runtime) { return runtime.release == loaded->release; }))
    return;
  std::string names;
  for (const sandbox_runtime &runtime : *runtimes)
    names += runtime.name + "\n";
  result.add("userspace.sandbox-driver-mismatch")
      .saw("no GL runtime of release {}", loaded->release.text())
      .expected("the runtime of the loaded module's release")
      .read_from(runtimes.source, names)
      .read_from(loaded->source, loaded->text);
}

const check_registration registration{{"stale_users", "do processes or sandboxes use libraries of another release?",
                                       false, [](const node_evidence &node, const expectations &, judgement &result) {
                                         judge_clients(node, result);
                                         judge_maps(node, result);
                                         judge_sandboxes(node, result);
                                       }}};

} // namespace
} // namespace gpucert
