// SPDX-License-Identifier: Apache-2.0
#include "checks/stack_report.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

stack_report judged(const node_evidence &node, std::optional<int> expected_gpus = {}) {
  return judge_stack(node, {expected_gpus}, catalogue::built_in());
}

/// "id" for a cause, "(id)" for what it explains.
words findings_of(const stack_report &report) {
  words list;
  for (const reported_finding &found : report.findings)
    list.push_back(found.is_explained ? fmt::format("({})", found.id) : found.id);
  return list;
}

TEST(stack_report, of_a_healthy_node_passes) {
  const stack_report report = judged(healthy_node());
  EXPECT_EQ(report.status, stack_status::pass);
  EXPECT_EQ(report.summary, "the driver stack is coherent");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.unknown.empty());
  EXPECT_FALSE(report.diagnosis.root_cause);
  EXPECT_EQ(report.diagnosis.action, "none");
  EXPECT_EQ(report.checks.size(), all_checks().size());
  EXPECT_EQ(report.versions.kernel_module_version, "550.54.15");
  EXPECT_EQ(report.versions.on_disk_module_version, "550.54.15");
  EXPECT_EQ(report.versions.libcuda_version, "550.54.15");
  EXPECT_EQ(report.versions.nvml_version, "550.54.15");
  EXPECT_EQ(report.versions.package_version, "550.54.15");
}

TEST(stack_report, of_the_incident_names_the_cause_and_folds_the_symptom) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  for (auto &[name, version] : node.modules.versions)
    version = fact<kernel_module_version>::known({release("535.161.07")}, "/sys/module");
  node.nvml = nvml_fails_with(18);
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  const stack_report report = judged(node);
  EXPECT_EQ(report.status, stack_status::fail);
  EXPECT_EQ(findings_of(report), (words{"driver.module-older-than-userspace",
                                        "packages.unattended-upgrade-changed-driver", "(userspace.version-mismatch)"}));
  EXPECT_EQ(report.diagnosis.root_cause, "driver.module-older-than-userspace");
  EXPECT_EQ(report.diagnosis.action, "reboot-node");
  EXPECT_FALSE(report.diagnosis.action_title.empty());
  EXPECT_FALSE(report.diagnosis.steps.empty());
  EXPECT_EQ(report.diagnosis.explained, words{"userspace.version-mismatch"});
  EXPECT_EQ(report.summary, report.findings.front().title);
  EXPECT_EQ(report.diagnosis.timeline.size(), 1U);
}

TEST(stack_report, says_what_to_mend_before_a_reboot_that_would_lose_the_gpus) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  for (auto &[name, version] : node.modules.versions)
    version = fact<kernel_module_version>::known({release("535.161.07")}, "/sys/module");
  node.on_disk.next = next_kernel{"6.9.0", "boot.list", "the default entry of the boot loader"};
  node.on_disk.next_module = fact<module_file>::absent("modinfo");
  const stack_report report = judged(node);
  EXPECT_EQ(report.diagnosis.root_cause, "driver.module-older-than-userspace");
  EXPECT_EQ(report.diagnosis.action, "prepare-module-before-reboot");
  ASSERT_FALSE(report.diagnosis.steps.empty());
  EXPECT_TRUE(report.diagnosis.steps[0].text.starts_with("Do not reboot yet.")) << report.diagnosis.steps[0].text;
}

TEST(stack_report, a_symptom_alone_is_a_failure_of_its_own) {
  node_evidence node = healthy_node();
  node.symptoms = {{"symptoms/x.txt", "Driver/library version mismatch"}};
  const stack_report report = judged(node);
  EXPECT_EQ(report.status, stack_status::fail);
  EXPECT_EQ(findings_of(report), words{"userspace.version-mismatch"});
}

TEST(stack_report, a_warning_does_not_fail) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("550.54.15", "")}); // the libraries came back by another way
  const stack_report report = judged(node);
  EXPECT_EQ(report.status, stack_status::warn);
  EXPECT_EQ(report.diagnosis.root_cause, "packages.unattended-upgrade-changed-driver");
}

TEST(stack_report, an_unknown_in_a_deciding_check_is_never_a_pass) {
  node_evidence node = healthy_node();
  node.device_files = nobody_knows<std::vector<device_file>>();
  const stack_report report = judged(node);
  EXPECT_EQ(report.status, stack_status::unknown);
  EXPECT_EQ(report.summary, "cannot tell: files in /dev is not known (somewhere: not in the capture)");
  ASSERT_EQ(report.unknown.size(), 1U);
  EXPECT_EQ(report.unknown[0].check, "device_files");
}

TEST(stack_report, an_unknown_elsewhere_is_listed_and_changes_nothing) {
  node_evidence node = healthy_node();
  node.history = nobody_knows<std::vector<package_transaction>>();
  const stack_report report = judged(node);
  EXPECT_EQ(report.status, stack_status::pass);
  ASSERT_EQ(report.unknown.size(), 1U);
  EXPECT_EQ(report.unknown[0].check, "package_changes");
}

TEST(stack_report, a_failure_is_one_also_beside_unknowns) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  node.device_files = nobody_knows<std::vector<device_file>>();
  EXPECT_EQ(judged(node).status, stack_status::fail);
}

TEST(stack_report, an_unknown_weighs_more_than_a_warning) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("550.54.15", "")});
  node.device_files = nobody_knows<std::vector<device_file>>();
  EXPECT_EQ(judged(node).status, stack_status::unknown);
}

TEST(stack_report, of_no_evidence_at_all_is_unknown) {
  const stack_report report = judged({});
  EXPECT_EQ(report.status, stack_status::unknown);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_FALSE(report.versions.kernel_module_version);
}

TEST(stack_report, of_a_machine_without_gpu_and_driver) {
  const stack_report report = judged(node_without_gpu());
  EXPECT_EQ(report.status, stack_status::unknown);
  EXPECT_EQ(report.summary, "not a GPU node: no NVIDIA GPU on PCI, and no NVIDIA driver");
  EXPECT_EQ(judged(node_without_gpu(), 1).status, stack_status::fail) << "the operator says that it is one";
  node_evidence node = node_without_gpu();
  node.packages = nobody_knows<std::vector<installed_package>>();
  EXPECT_NE(judged(node).summary, report.summary) << "what nobody knows is not said";
}

TEST(stack_report, of_jetson_and_wsl2_is_not_called_no_gpu_node) {
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = node_without_gpu();
    node.platform.*kind = true;
    EXPECT_FALSE(judged(node).is_no_gpu_node);
    EXPECT_EQ(judged(node).status, stack_status::unknown) << "nothing was compared";
  }
}

TEST(stack_report, of_wsl2_with_the_libraries_of_windows_passes) {
  node_evidence node = node_without_gpu();
  node.platform.is_wsl2 = true;
  node.device_files = files_are({"/dev/dxg"});
  node.libraries = fact<std::vector<driver_library>>::known(
      {{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", {}, false}}, "ldconfig -p");
  EXPECT_EQ(judged(node).status, stack_status::pass) << judged(node).summary;
}

/// Everything in a report that a view can show.
words in_words(const stack_report &report) {
  words list = {report.summary, report.diagnosis.action, report.diagnosis.root_cause.value_or("-")};
  for (const reported_finding &found : report.findings) {
    list.push_back(fmt::format("{} | {} | {} | {}", found.id, found.saw, found.expected, found.is_explained));
    for (const std::string &note : found.notes)
      list.push_back(note);
    for (const evidence_item &item : found.evidence)
      list.push_back(fmt::format("{}: {}", item.source, item.text));
  }
  for (const unknown_in_check &unknown : report.unknown)
    list.push_back(fmt::format("{} {} {} {}", unknown.check, unknown.fact.what, unknown.fact.source, unknown.fact.why));
  for (const timeline_entry &entry : report.diagnosis.timeline)
    list.push_back(fmt::format("{} {}", entry.when, entry.what));
  return list;
}

TEST(stack_report, of_the_same_evidence_in_another_order_is_the_same) {
  node_evidence node = healthy_node();
  pci_gpu unread = gpu("0000:04:00.0"), unread_too = gpu("0000:05:00.0");
  unread.bound_driver = nobody_knows<std::string>();
  unread_too.bound_driver = fact<std::string>::unknown("elsewhere", "not in the capture");
  std::vector<installed_package> packages = {package("nvidia-utils-560", "560.35.05-0ubuntu1"),
                                             package("libnvidia-compute-560", "560.35.05-0ubuntu1"),
                                             package("libnvidia-decode-560", "560.35.05-0ubuntu1")};
  std::vector<pci_gpu> gpus = {gpu("0000:01:00.0", "nouveau"), gpu("0000:02:00.0", "nova_core"), gpu("0000:03:00.0")};
  words files = {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-modeset"};
  const std::vector<other_driver_report> reports = {{"0000:04:00.0", "nouveau", "a"}, {"0000:05:00.0", "nouveau", "b"}};
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.symptoms = {{"symptoms/a.txt", "Driver/library version mismatch"}};
  for (const std::vector<pci_gpu> &more : {std::vector<pci_gpu>{}, {unread, unread_too}}) {
    std::vector<pci_gpu> all = gpus;
    all.insert(all.end(), more.begin(), more.end());
    node.gpus = gpus_are(all);
    node.packages = packages_are(packages);
    node.device_files = files_are(files);
    node.log = log_of({}, reports);
    const words forward = in_words(judged(node));
    std::reverse(all.begin(), all.end());
    node.gpus = gpus_are(all);
    node.packages = packages_are({packages.rbegin(), packages.rend()});
    node.device_files = files_are({files.rbegin(), files.rend()});
    node.log = log_of({}, {reports.rbegin(), reports.rend()});
    EXPECT_EQ(in_words(judged(node)), forward);
  }
}

TEST(stack_report, lists_causes_before_consequences_and_each_consequence_once) {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.names = loaded_are({"ext4"});
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  node.gpus = gpus_are({gpu("0000:01:00.0", "nouveau"), gpu("0000:02:00.0", "nouveau")});
  const stack_report report = judged(node);
  EXPECT_EQ(report.diagnosis.root_cause, "driver.no-module-for-running-kernel");
  const bool is_sorted = std::is_sorted(report.findings.begin(), report.findings.end(),
                                        [](const auto &a, const auto &b) { return a.is_explained < b.is_explained; });
  EXPECT_TRUE(is_sorted);
  EXPECT_EQ(
      std::count(report.diagnosis.explained.begin(), report.diagnosis.explained.end(), "driver.other-driver-bound"), 1);
}

TEST(stack_report, two_witnesses_of_one_gpu_are_one_finding) {
  const auto made = [](std::string_view address, std::string_view source) {
    finding found("hw.row-remap-pending");
    found.saw("GPU {}: seen by {}", address, source).expected("none").read_from(std::string(source), "text");
    return found;
  };
  const std::vector<finding> more = {made("0000:01:00.0", "log"), made("0000:01:00.0", "nvml"),
                                     made("0000:02:00.0", "log")};
  const stack_report report = judge_stack(healthy_node(), {}, catalogue::built_in(), more);
  ASSERT_EQ(report.findings.size(), 2U) << "one for each GPU";
  EXPECT_EQ(report.findings[0].evidence.size(), 2U);
  EXPECT_EQ(report.findings[0].notes, words{"Also: GPU 0000:01:00.0: seen by nvml."});
  EXPECT_EQ(report.findings[1].evidence.size(), 1U);
}

TEST(stack_report, a_finding_that_the_catalogue_lacks_is_a_mistake_of_the_program) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  const catalogue small(
      R"([{"id": "hw.no-gpu", "area": "hw", "severity": "fail", "title": "t", "meaning": "m", "evidence": "e",
           "action": "none", "explained_by": [], "notes": "n"}])",
      R"([{"id": "none", "title": "t", "reboot_helps": "no", "steps": [{"text": "t", "why": "w"}]}])");
  EXPECT_THROW(judge_stack(node, {}, small), std::logic_error);
}

TEST(stack_status, words_and_back) {
  for (const stack_status status : {stack_status::pass, stack_status::warn, stack_status::fail, stack_status::unknown})
    EXPECT_EQ(parse_stack_status(to_string(status)), status);
  EXPECT_EQ(parse_stack_status("PASS"), std::nullopt);
  EXPECT_EQ(parse_stack_status(""), std::nullopt);
}

} // namespace
} // namespace gpucert
