// SPDX-License-Identifier: Apache-2.0
// Check next_boot: would a reboot now bring a coherent stack? Asked before anybody is told to reboot.
#include "checks/next_boot.h"

#include "checks/check.h"
#include "checks/module_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

/// The module of the next kernel: of the running one where the next is not known and nothing says otherwise.
std::optional<module_claim> claim_of_next_module(const node_evidence &node) {
  if (node.on_disk.next)
    return claim_of_module_for(node, node.on_disk.next->release);
  if (node.on_disk.next_module.is_absent())
    return module_claim{false, {}, node.on_disk.next_module.source, "no nvidia module for the next kernel"};
  if (node.on_disk.next_module.is_known())
    return module_claim{true, node.on_disk.next_module->version.release, node.on_disk.next_module.source,
                        node.on_disk.next_module->version.text()};
  return std::nullopt;
}

next_boot decided(next_boot boot, std::optional<bool> is_coherent, std::string because) {
  boot.is_coherent = is_coherent;
  boot.because = std::move(because);
  return boot;
}

/// The newest folder of modules may be left over from a kernel that was removed.
bool is_sure_of_kernel(const node_evidence &node) { return !node.on_disk.next || node.on_disk.next->is_sure; }

bool is_stale_in_initramfs(const node_evidence &node) {
  const auto userspace = claim_of_userspace(node);
  return node.on_disk.in_initramfs.is_known() && userspace && !userspace->is_cut &&
         node.on_disk.in_initramfs->version.release != userspace->release;
}

void judge_initramfs(const node_evidence &node, judgement &result) {
  const fact<module_file> &copy = node.on_disk.in_initramfs;
  if (!copy.is_known() || !node.module_on_disk.is_known() ||
      copy->version.release >= node.module_on_disk->version.release)
    return;
  result.add("driver.module-in-initramfs-stale")
      .saw("module {} in the initramfs, {} on disk", copy->version.text(), node.module_on_disk->version.text())
      .expected("one release")
      .read_from(copy.source, copy->version.text())
      .read_from(node.module_on_disk.source, node.module_on_disk->version.text())
      .note("Each reboot loads {} again until the initramfs is rebuilt.", copy->version.text());
}

void judge_next_kernel(const node_evidence &node, judgement &result) {
  const auto module = claim_of_next_module(node);
  if (!module || module->exists || !is_sure_of_kernel(node) ||
      (node.on_disk.next && node.on_disk.next->release == running_kernel(node)))
    return; // of the running kernel check modules speaks
  finding &found =
      result.add("driver.no-module-for-next-kernel")
          .saw("kernel {} has no nvidia module", node.on_disk.next ? node.on_disk.next->release : "of the next boot")
          .expected("a module for the kernel of the next boot")
          .read_from(module->source, module->text);
  if (node.on_disk.next)
    found.read_from(node.on_disk.next->source, node.on_disk.next->release + ": " + node.on_disk.next->why);
  found.note("Do not reboot before that kernel has a module.");
}

void judge_next_boot(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || has_driver(node) != true)
    return;
  judge_initramfs(node, result);
  judge_next_kernel(node, result);
  if (const next_boot boot = foresee_next_boot(node); !boot.is_coherent)
    result.cannot_tell({"what a reboot would load", "next boot", boot.because});
}

const check_registration registration{
    {"next_boot", "would a reboot now bring a coherent stack?", false, judge_next_boot}};

} // namespace

next_boot foresee_next_boot(const node_evidence &node) {
  next_boot boot;
  if (node.on_disk.next)
    boot.kernel = node.on_disk.next->release;
  const auto userspace = claim_of_userspace(node);
  if (userspace)
    boot.library_release = userspace->release.text();
  const auto module = claim_of_next_module(node);
  if (module && module->release)
    boot.module_release = module->release->text();
  if (module && !module->exists)
    return decided(boot, is_sure_of_kernel(node) ? std::optional(false) : std::nullopt,
                   "the kernel of the next boot has no nvidia module");
  if (is_stale_in_initramfs(node)) { // it is loaded before the disk is there
    boot.module_release = node.on_disk.in_initramfs->version.text();
    return decided(boot, false, "the initramfs holds another release than the disk");
  }
  if (!boot.kernel)
    return decided(boot, std::nullopt, "the kernel of the next boot is not known");
  if (!module || !module->release)
    return decided(boot, std::nullopt, "the module of that kernel is not known");
  if (!userspace)
    return decided(boot, std::nullopt, "the release of the libraries is not known");
  const version_claim on_disk{*module->release, module->source, module->text};
  if (!may_be_same(on_disk, *userspace))
    return decided(boot, false, "module and libraries are of different releases");
  if (userspace->is_cut)
    return decided(boot, std::nullopt, "only the first two numbers of the libraries' release are known");
  const fact<module_file> &file = node.on_disk.next_module;
  const bool is_loaded = node.modules.has("nvidia") == true;
  if (node.on_disk.is_secure_boot.is_known() && *node.on_disk.is_secure_boot && !is_loaded && file.is_known() &&
      file->path && !file->signer)
    return decided(boot, std::nullopt, "Secure Boot is on and the module names no signer");
  return decided(boot, true, "module and libraries are of one release");
}

std::string in_one_line(const next_boot &boot) {
  return fmt::format("A reboot now loads: kernel {}, module {}, libraries {}: {} ({})",
                     boot.kernel.value_or("not known"), boot.module_release.value_or("not known"),
                     boot.library_release.value_or("not known"),
                     !boot.is_coherent   ? "unknown"
                     : *boot.is_coherent ? "coherent"
                                         : "not coherent",
                     boot.because);
}

} // namespace gpucert
