// SPDX-License-Identifier: Apache-2.0
#include "checks/stack_report.h"

#include "checks/half_configured.h"
#include "checks/version_claims.h"
#include "node/evidence.h"
#include "node/pci_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace gpucert {
namespace {

constexpr std::array<std::pair<stack_status, std::string_view>, 4> status_words{{{stack_status::pass, "pass"},
                                                                                 {stack_status::warn, "warn"},
                                                                                 {stack_status::fail, "fail"},
                                                                                 {stack_status::unknown, "unknown"}}};

// Faults in which parts of the driver are of two releases: they are born when packages change.
constexpr std::array<std::string_view, 5> version_faults{
    "driver.module-older-than-userspace", "driver.module-newer-than-userspace", "driver.module-on-disk-stale",
    "driver.module-in-initramfs-stale", "userspace.version-mismatch"};

// What has to be mended before a reboot helps.
constexpr std::array<std::string_view, 2> reasons_to_wait{"driver.no-module-for-next-kernel",
                                                          "driver.module-in-initramfs-stale"};

const finding_definition &definition_of(const std::string &id, const catalogue &known) {
  if (const finding_definition *definition = known.find(id))
    return *definition;
  throw std::logic_error("a check reports '" + id + "', which checks/findings.json does not have");
}

reported_finding report(const finding &found, const catalogue &known) {
  const finding_definition &definition = definition_of(found.id(), known);
  return {found.id(),    definition.severity, definition.title,         found.saw(),       found.expected(),
          found.notes(), found.evidence(),    found.inferred_because(), definition.action, false};
}

/// Causes first, as the catalogue ranks them; then what they explain, by severity. Findings of one id stand in the
/// order of what was seen, so that the order in which the node lists its parts does not show.
void fold_and_sort(std::vector<reported_finding> &findings, const catalogue &known,
                   std::span<const std::string> beside) {
  std::vector<std::string> present;
  for (const reported_finding &found : findings)
    present.push_back(found.id);
  const std::vector<std::string> causes = known.unexplained(present, beside);
  const auto rank = [&](const reported_finding &found) {
    return std::find(causes.begin(), causes.end(), found.id) - causes.begin();
  };
  for (reported_finding &found : findings)
    found.is_explained = rank(found) == std::ssize(causes);
  const auto key = [&](const reported_finding &found) {
    return std::tuple(rank(found), -static_cast<int>(found.level), std::string_view(found.id),
                      std::string_view(found.saw));
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const reported_finding &a, const reported_finding &b) { return key(a) < key(b); });
}

/// What two witnesses (the kernel log and NVML, say) tell of one GPU under one id is one finding with the evidence of
/// both. `findings` are sorted. Where no address is named, nobody knows whether they mean one GPU.
void join_witnesses(std::vector<reported_finding> &findings) {
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<reported_finding> joined;
  for (reported_finding &found : findings) {
    const std::optional<std::string> address = find_pci_address(found.saw);
    const auto [place, is_first] =
        address ? places.try_emplace({found.id, *address}, joined.size()) : std::pair(places.end(), true);
    if (is_first) {
      joined.push_back(std::move(found));
      continue;
    }
    reported_finding &first = joined[place->second];
    if (first.saw != found.saw)
      first.notes.push_back("Also: " + found.saw + ".");
    const auto add_new = [](auto &list, auto &more) {
      for (auto &item : more)
        if (std::find(list.begin(), list.end(), item) == list.end())
          list.push_back(std::move(item));
    };
    add_new(first.notes, found.notes);
    add_new(first.evidence, found.evidence);
    if (!found.inferred_because)
      first.inferred_because.reset();
  }
  findings = std::move(joined);
}

diagnosis conclude(const std::vector<reported_finding> &findings, const node_evidence &node, const catalogue &known) {
  diagnosis result;
  result.timeline = build_timeline(node);
  std::vector<std::string> present;
  for (const reported_finding &found : findings)
    present.push_back(found.id);
  result.hypotheses = judge_hypotheses(node, present);
  if (!first_present(present, version_faults).empty())
    result.history = trace_version_fault(node);
  for (const reported_finding &found : findings)
    if (found.is_explained &&
        std::find(result.explained.begin(), result.explained.end(), found.id) == result.explained.end())
      result.explained.push_back(found.id);
  if (!findings.empty()) {
    result.root_cause = findings.front().id;
    result.action = findings.front().action;
  }
  result.next_boot = foresee_next_boot(node);
  const bool must_not_reboot_yet = result.action == "reboot-node" && result.next_boot.is_coherent == false;
  if (must_not_reboot_yet && !first_present(present, reasons_to_wait).empty())
    result.action = definition_of(std::string(first_present(present, reasons_to_wait)), known).action;
  const action_definition *action = known.action(result.action); // the catalogue has made sure that it exists
  result.action_title = action->title;
  result.steps = action->steps;
  if (result.root_cause && may_go_back_from(*result.root_cause))
    result.way_back = find_way_back(node);
  if (must_not_reboot_yet)
    result.steps.insert(result.steps.begin(),
                        action_step{"Do not reboot yet. " + in_one_line(result.next_boot) + ".", std::nullopt,
                                    "a reboot now would keep the fault or lose the GPUs"});
  return result;
}

bool is_no_gpu_node(const node_evidence &node) {
  return !node.platform.has_gpu_off_pci() && node.gpus.is_known() && node.gpus->empty() && has_driver(node) == false;
}

bool has_unexplained(const stack_report &report, severity level) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const reported_finding &found) { return !found.is_explained && found.level == level; });
}

/// The first fact that a deciding check lacks.
const unknown_in_check *deciding_unknown(const stack_report &report) {
  const auto decides = [](const unknown_in_check &unknown) {
    return std::any_of(all_checks().begin(), all_checks().end(),
                       [&](const check &unit) { return unit.decides && unit.name == unknown.check; });
  };
  const auto found = std::find_if(report.unknown.begin(), report.unknown.end(), decides);
  return found == report.unknown.end() ? nullptr : &*found;
}

void decide(stack_report &report) {
  const unknown_in_check *missing = deciding_unknown(report);
  if (has_unexplained(report, severity::fail)) {
    report.status = stack_status::fail;
    report.summary = report.findings.front().title;
  } else if (report.is_no_gpu_node) {
    report.status = stack_status::unknown;
    report.summary = "not a GPU node: no NVIDIA GPU on PCI, and no NVIDIA driver";
  } else if (missing != nullptr) {
    report.status = stack_status::unknown;
    report.summary = fmt::format("cannot tell: {} is not known ({}: {})", missing->fact.what, missing->fact.source,
                                 missing->fact.why);
  } else if (has_unexplained(report, severity::warn)) {
    report.status = stack_status::warn;
    report.summary = report.findings.front().title;
  } else {
    report.status = stack_status::pass;
    report.summary = "the driver stack is coherent";
  }
}

std::optional<std::string> library_version(const node_evidence &node, std::string_view soname) {
  if (node.libraries.is_known())
    for (const driver_library &library : *node.libraries)
      if (library.soname == soname && library.release && !library.is_32_bit && !library.is_compat_copy())
        return library.release->text();
  return std::nullopt;
}

stated_versions state_versions(const node_evidence &node) {
  stated_versions versions;
  versions.kernel_release = node.kernel_release.value;
  versions.distribution = node.platform.distribution;
  if (const auto loaded = claim_of_loaded_module(node)) // the same witness as the verdict's
    versions.kernel_module_version = loaded->release.text();
  if (node.module_on_disk.is_known())
    versions.on_disk_module_version = node.module_on_disk->version.text();
  versions.libcuda_version = library_version(node, "libcuda.so.1");
  versions.nvml_version = library_version(node, "libnvidia-ml.so.1");
  if (const auto packages = claim_of_packages(node, driver_part::userspace))
    versions.package_version = packages->release.text();
  return versions;
}

} // namespace

std::string_view to_string(stack_status status) {
  for (const auto &[value, word] : status_words)
    if (value == status)
      return word;
  return "unknown";
}

std::optional<stack_status> parse_stack_status(std::string_view word) {
  for (const auto &[value, known] : status_words)
    if (known == word)
      return value;
  return std::nullopt;
}

stack_report judge_stack(const node_evidence &node, const expectations &expected, const catalogue &known,
                         std::span<const finding> more) {
  stack_report result;
  for (const check &unit : all_checks()) {
    judgement judged;
    unit.judge(node, expected, judged);
    for (const finding &found : judged.findings())
      result.findings.push_back(report(found, known));
    for (const unknown_fact &missing : judged.unknown())
      result.unknown.push_back({std::string(unit.name), missing});
    result.checks.emplace_back(unit.name);
  }
  for (const finding &found : more)
    result.findings.push_back(report(found, known));
  std::vector<std::string> beside; // known to explain nothing here
  if (!half_configured_explains(node))
    beside.emplace_back("packages.half-configured");
  fold_and_sort(result.findings, known, beside);
  join_witnesses(result.findings);
  result.diagnosis = conclude(result.findings, node, known);
  result.versions = state_versions(node);
  result.is_no_gpu_node = is_no_gpu_node(node);
  decide(result);
  return result;
}

} // namespace gpucert
