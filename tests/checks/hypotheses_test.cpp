// SPDX-License-Identifier: Apache-2.0
// Each hypothesis in its three outcomes.
#include "checks/hypothesis.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

const judged_hypothesis &named(const std::vector<judged_hypothesis> &all, std::string_view name) {
  for (const judged_hypothesis &judged : all)
    if (judged.name == name)
      return judged;
  throw std::logic_error("no hypothesis of that name");
}

/// The word and the reason of one of them.
std::string ruled(const node_evidence &node, std::string_view name, const std::vector<std::string> &present = {}) {
  const std::vector<judged_hypothesis> all = judge_hypotheses(node, present);
  const ruling &result = named(all, name).ruling;
  return fmt::format("{}: {}", to_string(result.word), result.why);
}

std::chrono::local_seconds at(std::string_view text) { return parse_log_time(text).value().local; }

fact<session_history> sessions_of(std::vector<session_history::login> logins) {
  session_history sessions;
  sessions.boots = {at("2024-05-22 05:31")};
  sessions.begin = sessions.boots.front();
  sessions.logins = std::move(logins);
  return fact<session_history>::known(sessions, "/var/log/wtmp");
}

fact<kernel_log> log_with(kernel_topic topic, std::string_view text) {
  kernel_log log;
  kernel_statement said;
  said.topic = topic;
  said.text = text;
  log.statements.push_back(said);
  return fact<kernel_log>::known(log, "kernel log");
}

fact<nvml_record> gpu_with_reasons(int reasons) {
  return fact<nvml_record>::known(
      parse_nvml_record(
          fmt::format(R"({{"schema": "gpucert-nvml-replay-1", "functions": {{"nvmlInit_v2": {{"ret": 0}}}},
        "devices": [{{"index": 0, "functions": {{
          "nvmlDeviceGetCurrentClocksEventReasons": {{"ret": 0, "value": {}}},
          "nvmlDeviceGetTotalEccErrors": {{"ret": 0, "value": 0}},
          "nvmlDeviceGetTemperature": {{"ret": 0, "value": 41}}}}}}]}})",
                      reasons))
          .record.value(),
      "NVML");
}

TEST(hypothesis_person, a_timer_while_nobody_was_there) {
  node_evidence node = healthy_node();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  EXPECT_EQ(ruled(node, "person"), "ruled out: a timer changed the driver");
  node.sessions = sessions_of({{at("2024-06-11 09:00"), at("2024-06-11 10:00")}});
  EXPECT_EQ(ruled(node, "person"), "ruled out: a timer changed the driver, and nobody was logged in");
  node.sessions = sessions_of({{at("2024-06-12 06:20"), {}}});
  EXPECT_EQ(ruled(node, "person"), "not ruled out: a timer changed the driver, but somebody was logged in");
}

TEST(hypothesis_person, a_command_of_somebody) {
  node_evidence node = healthy_node();
  package_transaction run = apt_moved("535.161.07", "550.54.15", "apt upgrade");
  node.history = history_is({run});
  EXPECT_EQ(ruled(node, "person"),
            "not ruled out: the last change of the driver was not started by a timer that is known here");
  run.is_requested_by_person = true;
  node.history = history_is({run});
  EXPECT_EQ(ruled(node, "person"), "not ruled out: a person started the last change of the driver");
}

TEST(hypothesis_person, no_change_at_all) {
  node_evidence node = healthy_node();
  node.history = history_is({});
  EXPECT_EQ(ruled(node, "person"), "unknown: no package run touched the driver, and log-ins are not on record");
  node.sessions = sessions_of({});
  EXPECT_EQ(ruled(node, "person"), "ruled out: no package run touched the driver, and nobody has logged in since boot");
  node.sessions = sessions_of({{at("2024-06-12 06:20"), {}}});
  EXPECT_EQ(ruled(node, "person"),
            "not ruled out: no package run touched the driver, but people have logged in since boot");
  node.history = fact<std::vector<package_transaction>>::unknown("/var/log/apt/history.log", "no permission");
  EXPECT_EQ(ruled(node, "person"), "unknown: the package log could not be read");
}

TEST(hypothesis_heat, by_the_driver_or_not_at_all) {
  node_evidence node = healthy_node();
  node.nvml = nvml_fails_with(18);
  EXPECT_EQ(ruled(node, "heat"), "unknown: NVML, which reads temperatures and clocks, did not answer");
  node.nvml = gpu_with_reasons(0x4); // at the power cap: every GPU under full load
  EXPECT_EQ(ruled(node, "heat"), "ruled out: no GPU is throttled for heat at this moment");
  node.nvml = gpu_with_reasons(0x40);
  EXPECT_EQ(ruled(node, "heat"), "not ruled out: GPU 0 is slowed down for heat");
  node.nvml = gpu_with_reasons(0);
  EXPECT_EQ(ruled(node, "heat", {"hw.throttled"}), "not ruled out: see hw.throttled");
  node.log = log_with(kernel_topic::thermal, "CPU3: Core temperature above threshold");
  EXPECT_EQ(ruled(node, "heat"), "not ruled out: the kernel reported heat");
}

TEST(hypothesis_memory_errors, by_the_kernel_log) {
  node_evidence node = healthy_node();
  node.log = log_of({});
  EXPECT_EQ(ruled(node, "memory_errors"),
            "ruled out: the kernel log has no Xid; the ECC counters are not readable, but "
            "an error that matters would have raised one");
  node.nvml = gpu_with_reasons(0);
  EXPECT_EQ(ruled(node, "memory_errors"), "ruled out: the kernel log has no Xid");
  EXPECT_EQ(ruled(node, "memory_errors", {"driver.module-not-loaded", "gsp.crash"}), "not ruled out: see gsp.crash");
  kernel_log log;
  log.xids.push_back(parse_xid("NVRM: Xid (PCI:0000:01:00): 31, pid=1, name=x, Ch 00000010").value());
  node.log = fact<kernel_log>::known(log, "kernel log");
  EXPECT_EQ(ruled(node, "memory_errors"), "not ruled out: the kernel log has errors of programs");
  node.log = fact<kernel_log>::unknown("kernel log", "no permission");
  EXPECT_EQ(ruled(node, "memory_errors"), "unknown: the kernel log could not be read");
}

TEST(hypothesis_power_and_pcie, by_links_and_the_kernel_log) {
  node_evidence node = healthy_node();
  node.log = log_of({});
  node.gpus = gpus_are({gpu("0000:3b:00.0")});
  EXPECT_EQ(ruled(node, "power_and_pcie"), "unknown: the widths of the PCIe links could not be read");
  pci_link link;
  link.address = "0000:3b:00.0";
  link.now.width = link.card.width = 16;
  node.pci_links = {link};
  EXPECT_EQ(ruled(node, "power_and_pcie"), "ruled out: no GPU has lost lanes or left the bus");
  EXPECT_EQ(ruled(node, "power_and_pcie", {"hw.pcie-link-degraded"}), "not ruled out: see hw.pcie-link-degraded");
  node.log = log_with(kernel_topic::pcie_error_corrected, "AER: Corrected error received");
  EXPECT_EQ(ruled(node, "power_and_pcie"), "not ruled out: the kernel reported errors of the bus");
  node.log = fact<kernel_log>::unknown("kernel log", "no permission");
  EXPECT_EQ(ruled(node, "power_and_pcie"), "unknown: the kernel log could not be read");
}

TEST(hypothesis_container, by_findings_and_the_kernel_log) {
  node_evidence node = healthy_node();
  node.log = log_of({});
  EXPECT_EQ(ruled(node, "container"), "ruled out: the OOM killer did nothing, and nothing points to a container");
  EXPECT_EQ(ruled(node, "container", {"driver.module-not-loaded"}),
            "ruled out: the OOM killer did nothing, and the fault is on the host, outside every container");
  EXPECT_EQ(ruled(node, "container", {"container.cdi-spec-stale"}), "not ruled out: see container.cdi-spec-stale");
  node.log = log_with(kernel_topic::out_of_memory_killer, "Out of memory: Killed process 1234 (python3)");
  EXPECT_EQ(ruled(node, "container"), "not ruled out: the kernel killed a process for memory");
  node.log = fact<kernel_log>::unknown("kernel log", "no permission");
  EXPECT_EQ(ruled(node, "container"), "unknown: the kernel log could not be read");
}

} // namespace
} // namespace gpucert
