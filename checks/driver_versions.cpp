// SPDX-License-Identifier: Apache-2.0
// Check driver_versions: are the module in memory, the module on disk and the user-space libraries of one release?
//
// Files change when packages are installed; the module in memory stays until it is unloaded. Processes that run keep
// the libraries they have mapped, so nothing fails until somebody opens a new CUDA context, hours or weeks later.
#include "checks/check.h"
#include "checks/version_claims.h"

namespace gpucert {
namespace {

void add_evidence(finding &found, const std::optional<version_claim> &claim) {
  if (claim)
    found.read_from(claim->source, claim->text);
}

void add_mismatch_events(finding &found, const node_evidence &node) {
  if (!node.log.is_known())
    return;
  for (const api_mismatch &mismatch : node.log->api_mismatches)
    found.read_from(node.log.source,
                    fmt::format("API mismatch: client {}{}, kernel module {}, {} time(s)", mismatch.client.text(),
                                mismatch.client_name ? " (" + *mismatch.client_name + ")" : "", mismatch.module.text(),
                                mismatch.count));
}

/// Whether the advice to reboot holds: the next load takes the module from the disk.
void note_what_a_reboot_loads(finding &found, const node_evidence &node, const version_claim &userspace) {
  const auto disk = claim_of_module_on_disk(node);
  const std::string kernel = node.kernel_release.value.value_or("the running kernel");
  if (disk && may_be_same(*disk, userspace))
    found.note("A reboot into {} helps: the module on disk is already {}.", kernel, disk->release.text());
  else if (node.module_on_disk.is_absent())
    found.note("Do not reboot yet: {} has no nvidia module on disk, so a reboot would load none.", kernel);
  else
    found.note("The module on disk is not known ({}): look at it before the reboot, with modinfo -F version nvidia.",
               node.module_on_disk.problem.value_or("no version"));
}

// What loads the module at boot is done by then; nobody has upgraded packages.
constexpr double still_booting_s = 120;

/// The mismatch that came with the boot: the reboot has already not helped.
const api_mismatch *find_mismatch_of_boot(const node_evidence &node) {
  if (!node.log.is_known())
    return nullptr;
  for (const api_mismatch &mismatch : node.log->api_mismatches)
    if (mismatch.client > mismatch.module.release && mismatch.seconds_since_boot &&
        *mismatch.seconds_since_boot <= still_booting_s)
      return &mismatch;
  return nullptr;
}

/// Why the old module is known to have come with this boot; nothing where it may be older than the upgrade. The boot is
/// later than the upgrade from the module's release to the libraries', or the mismatch came with the boot.
std::optional<std::string> reason_old_since_boot(const node_evidence &node, const version_claim &loaded,
                                                 const version_claim &userspace) {
  if (const api_mismatch *early = find_mismatch_of_boot(node))
    return fmt::format("the mismatch came {:.0f} s after boot, when the old module can only have come from the disk",
                       *early->seconds_since_boot);
  const auto boot = node.sessions.is_known() ? node.sessions->boot() : std::nullopt;
  if (!boot || !node.history.is_known() || !claim_of_module_on_disk(node))
    return std::nullopt;
  for (const package_transaction &run : *node.history) {
    const auto move = run.changes_driver() ? run.driver_move() : std::nullopt;
    if (move && move->before == loaded.release && move->after == userspace.release && run.end && run.end->local < *boot)
      return fmt::format("the upgrade ended {}, and the boot of {} loaded the old module again",
                         format_local_time(run.end->local), format_local_time(*boot));
  }
  return std::nullopt;
}

/// The old module came with this boot, so that an old copy is on the disk: in the initramfs where the module folder has
/// the new one, else in the folder itself.
void judge_old_since_boot(const node_evidence &node, const version_claim &loaded, const version_claim &userspace,
                          std::string why, judgement &result) {
  const bool is_new_on_disk = claim_of_module_on_disk(node).has_value(); // a different one is another finding
  finding &found = result.add(is_new_on_disk ? "driver.module-in-initramfs-stale" : "driver.module-on-disk-stale")
                       .saw("kernel module {} was loaded at boot, user libraries {}", loaded.release.text(),
                            userspace.release.text())
                       .expected("one release")
                       .read_from(loaded.source, loaded.text)
                       .read_from(userspace.source, userspace.text)
                       .is_inferred_because(std::move(why))
                       .note("A reboot has already not helped.");
  add_evidence(found, claim_of_module_on_disk(node));
  add_mismatch_events(found, node);
}

void judge_loaded(const node_evidence &node, const version_claim &loaded, const version_claim &userspace,
                  judgement &result) {
  if (may_be_same(loaded, userspace))
    return;
  if (loaded.release < userspace.release)
    if (auto why = reason_old_since_boot(node, loaded, userspace))
      return judge_old_since_boot(node, loaded, userspace, *std::move(why), result);
  if (loaded.release < userspace.release) {
    finding &found =
        result.add("driver.module-older-than-userspace")
            .saw("kernel module {} in memory, user libraries {}", loaded.release.text(), userspace.release.text())
            .expected("one release")
            .read_from(loaded.source, loaded.text)
            .read_from(userspace.source, userspace.text);
    add_evidence(found, claim_of_module_on_disk(node));
    add_mismatch_events(found, node);
    note_what_a_reboot_loads(found, node, userspace);
  } else {
    finding &found =
        result.add("driver.module-newer-than-userspace")
            .saw("kernel module {} in memory, user libraries {}", loaded.release.text(), userspace.release.text())
            .expected("one release")
            .read_from(loaded.source, loaded.text)
            .read_from(userspace.source, userspace.text);
    add_mismatch_events(found, node);
    found.note("A reboot changes nothing: it would load the same module again.");
  }
}

/// The module that the next load would take, against the libraries. Returns whether it is a fault of its own.
bool judge_on_disk(const node_evidence &node, const version_claim &disk, const version_claim &userspace,
                   judgement &result) {
  if (may_be_same(disk, userspace))
    return false;
  const bool is_older = disk.release < userspace.release;
  finding &found =
      result.add(is_older ? "driver.module-on-disk-stale" : "driver.module-newer-than-userspace")
          .saw("kernel module {} on disk, user libraries {}", disk.release.text(), userspace.release.text())
          .expected("one release")
          .read_from(disk.source, disk.text)
          .read_from(userspace.source, userspace.text);
  add_evidence(found, claim_of_loaded_module(node));
  add_mismatch_events(found, node);
  found.note("A reboot alone does not help: it would load {} again.", disk.release.text());
  return true;
}

/// Module packages moved forward without the libraries; the fault shows at the next load of the module.
bool judge_module_package(const node_evidence &node, const version_claim &userspace, judgement &result) {
  const auto package = claim_of_packages(node, driver_part::kernel_module);
  if (!package || package->release <= userspace.release)
    return false;
  result.add("driver.module-newer-than-userspace")
      .saw("module package of release {}, user libraries {}", package->release.text(), userspace.release.text())
      .expected("one release")
      .read_from(package->source, package->text)
      .read_from(userspace.source, userspace.text)
      .is_inferred_because("the version of the loaded module is not known; the fault shows when it is loaded next");
  return true;
}

/// NVML reports a mismatch, nothing names the loaded module, and the last upgrade says from where to where.
bool judge_last_upgrade(const node_evidence &node, const symptom &mismatch, judgement &result) {
  if (!node.history.is_known())
    return false;
  const package_transaction *last = nullptr;
  for (const package_transaction &transaction : *node.history)
    if (transaction.changes_driver() && transaction.driver_move())
      last = &transaction;
  if (last == nullptr)
    return false;
  const std::optional<release_move> move = last->driver_move();
  if (!move->before || !move->after || *move->before >= *move->after)
    return false;
  result.add("driver.module-older-than-userspace")
      .saw("user libraries {}; the module in memory is still that of before the upgrade, {}", move->after->text(),
           move->before->text())
      .expected("one release")
      .read_from(mismatch.source, mismatch.text)
      .read_from(last->source,
                 fmt::format("{} {}: driver {} -> {}", last->start ? last->start->text : "at unknown time",
                             last->command_line.value_or("(no command line)"), move->before->text(),
                             move->after->text()))
      .is_inferred_because("the version of the loaded module is unknown; the package log says what was there before")
      .note("Look at /proc/driver/nvidia/version and modinfo -F version nvidia before the reboot.");
  return true;
}

void report_mismatch(const symptom &mismatch, judgement &result) {
  result.add("userspace.version-mismatch")
      .saw("{}", mismatch.text)
      .expected("a driver and libraries of one release")
      .read_from(mismatch.source, mismatch.text);
}

void judge_driver_versions(const node_evidence &node, const expectations &, judgement &result) {
  const auto mismatch = reported_mismatch(node);
  if (mismatch)
    report_mismatch(*mismatch, result);
  // Windows owns the module of WSL2; Jetson counts its module by the release of Jetson Linux.
  if (node.platform.has_gpu_off_pci() || has_driver(node) == false)
    return;

  const auto loaded = claim_of_loaded_module(node);
  const auto userspace = claim_of_userspace(node);
  const auto disk = claim_of_module_on_disk(node);
  if (!userspace) {
    if (!mismatch || !judge_last_upgrade(node, *mismatch, result))
      result.cannot_tell("release of the user-space libraries", node.libraries);
    return;
  }
  if (disk && judge_on_disk(node, *disk, *userspace, result))
    return;
  if (loaded)
    return judge_loaded(node, *loaded, *userspace, result);
  const bool is_found = (!disk && judge_module_package(node, *userspace, result)) ||
                        (mismatch && judge_last_upgrade(node, *mismatch, result));
  const bool is_not_loaded = node.modules.has("nvidia") == false; // then there is nothing to compare: check modules
  if (!is_found && !is_not_loaded)
    result.cannot_tell("release of the loaded module", node.modules.nvidia);
}

const check_registration registration{{"driver_versions",
                                       "are kernel module, module on disk and libraries of one release?", true,
                                       judge_driver_versions}};

} // namespace
} // namespace gpucert
