// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

node_evidence node_with_log(std::string_view text) {
  node_evidence node = healthy_node();
  node.log = fact<kernel_log>::known(parse_kernel_log(text), "dmesg");
  return node;
}

words judged(const node_evidence &node) {
  const judgement result = judge("xid", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

words judged_log(std::string_view text) { return judged(node_with_log(text)); }

TEST(xid, of_a_healthy_node) {
  EXPECT_EQ(judged(healthy_node()), words{});
  EXPECT_EQ(judged_log("[ 6.3] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15\n"), words{});
}

TEST(xid, without_a_log_is_unknown) {
  node_evidence node = healthy_node();
  node.log = nobody_knows<kernel_log>();
  EXPECT_EQ(judged(node), words{"? errors that GPUs reported"});
  node = node_without_gpu();
  node.log = nobody_knows<kernel_log>();
  EXPECT_EQ(judged(node), words{});
}

TEST(xid, number_decides_the_finding) {
  const std::pair<int, const char *> classes[] = {{79, "hw.fell-off-bus"},
                                                  {48, "hw.ecc-uncorrected"},
                                                  {63, "hw.row-remap-pending"},
                                                  {64, "hw.row-remap-failed"},
                                                  {74, "hw.nvlink-error"},
                                                  {119, "gsp.rpc-timeout"},
                                                  {120, "gsp.crash"},
                                                  {62, "hw.xid-gpu-fault"},
                                                  {31, "hw.xid-application"},
                                                  {45, "hw.xid-application"},
                                                  {8, "hw.xid-watch"},
                                                  {54, "hw.aux-power-missing"},
                                                  {168, "hw.memory-replacement-due"},
                                                  {92, "hw.memory-watch"},
                                                  {999, "hw.xid-watch"}};
  for (const auto &[xid, id] : classes)
    EXPECT_EQ(judged_log(fmt::format("[ 9.5] NVRM: Xid (PCI:0000:01:00): {}, text", xid)), words{id}) << xid;
}

TEST(xid, says_what_was_seen) {
  const judgement result = judge(
      "xid", node_with_log("[4211.5] NVRM: Xid (PCI:0000:1b:00): 79, pid=12, name=chrome, GPU has fallen off.\n"));
  const finding &found = result.findings().at(0);
  EXPECT_EQ(found.saw(), "Xid 79 on GPU 0000:1b:00.0, first 4212 s after boot, while chrome (pid 12) was at work");
  EXPECT_EQ(found.evidence().at(0).text,
            "[4211.500000] Xid (PCI:0000:1b:00): 79, pid=12, name=chrome, GPU has fallen off.");
  EXPECT_EQ(found.notes().size(), 1U) << "the process is not the culprit";
}

TEST(xid, what_follows_within_ten_seconds_is_a_consequence) {
  EXPECT_EQ(judged_log("[100.0] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n"
                       "[101.0] NVRM: Xid (PCI:0000:01:00): 45, pid=1, name=x, Ch 1\n"
                       "[109.0] NVRM: Xid (PCI:0000:01:00): 8, pid=1, name=x, Ch 1\n"),
            words{"hw.fell-off-bus"});
  EXPECT_EQ(judged_log("[100.0] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n"
                       "[111.0] NVRM: Xid (PCI:0000:01:00): 8, pid=1, name=x, Ch 1\n"),
            (words{"hw.fell-off-bus", "hw.xid-watch"}));
  EXPECT_EQ(judged_log("[100.0] NVRM: Xid (PCI:0000:01:00): 31, Ch 1\n[101.0] NVRM: Xid (PCI:0000:02:00): 8, Ch 1\n"),
            (words{"hw.xid-application", "hw.xid-watch"}))
      << "another GPU";
  EXPECT_EQ(judged_log("May 19 07:08:57 node kernel: NVRM: Xid (PCI:0000:01:00): 62, 1\n"
                       "May 19 07:09:04 node kernel: NVRM: Xid (PCI:0000:01:00): 119, Timeout\n"
                       "May 19 07:09:04 node kernel: NVRM: Xid (PCI:0000:01:00): 45, Ch 1\n"),
            words{"hw.xid-gpu-fault"})
      << "the first decides, by wall time too";
}

TEST(xid, that_needs_a_reset_fails_whatever_came_first) {
  EXPECT_EQ(judged_log("[100.0] NVRM: Xid (PCI:0000:01:00): 13, Graphics\n"
                       "[105.0] NVRM: Xid (PCI:0000:01:00): 109, CTX SWITCH TIMEOUT\n"),
            (words{"hw.xid-application", "hw.xid-gpu-fault"}));
}

TEST(xid, named_as_cause_is_the_finding) {
  EXPECT_EQ(judged_log("NVRM: Xid (PCI:0000:dc:00): 45, pid=1, name=x, Ch 1 caused by previous Xid 149\n"),
            words{"hw.nvlink-error"});
  EXPECT_EQ(judged_log("NVRM: Xid (PCI:0000:dc:00): 45, pid=1, name=x, Ch 1 caused by previous Xid 149\n"
                       "NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 08\n"),
            words{"hw.nvlink-error"});
}

TEST(xid, of_a_link_that_recovered_is_no_alarm) {
  EXPECT_EQ(judged_log("NVRM: Xid (PCI:0018:01:00): 145, RLW_RXPIPE Nonfatal XC0 i0 Link 13\n"),
            words{"hw.xid-application"});
}

TEST(xid, of_a_switch_has_numbers_of_its_own) {
  EXPECT_EQ(judged_log("nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up\n"),
            words{"hw.nvlink-error"});
  EXPECT_EQ(judged_log("nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 79, Non-fatal, Link 32\n"),
            words{"hw.xid-application"});
}

TEST(xid, recovery_action_is_judged_elsewhere) {
  EXPECT_EQ(judged_log("NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (Reset)\n"),
            words{});
}

TEST(xid, remap_that_was_done_is_no_longer_pending) {
  node_evidence node = node_with_log("NVRM: Xid (PCI:0000:01:00): 63, Row Remapper: New row marked for remapping\n");
  const auto nvml = [](int pending) {
    return fact<nvml_record>::known(
        parse_nvml_record(fmt::format(
                              R"({{"schema": "gpucert-nvml-replay-1", "functions": {{}}, "devices": [{{"index": 0,
          "functions": {{"nvmlDeviceGetPciInfo_v3": {{"ret": 0, "values": {{"busId": "00000000:01:00.0"}}}},
          "nvmlDeviceGetRemappedRows": {{"ret": 0, "values": {{"isPending": {}}}}}}}}}]}})",
                              pending))
            .record.value(),
        "nvml.json");
  };
  node.nvml = nvml(1);
  EXPECT_EQ(judged(node), words{"hw.row-remap-pending"});
  node.nvml = nvml(0);
  EXPECT_EQ(judged(node), words{});
}

TEST(xid, what_a_reset_has_ended_is_past) {
  const std::string fault = "[ 9.5] NVRM: Xid (PCI:0000:01:00): 119, Timeout waiting for RPC from GSP!\n";
  const std::string reset = "[ 99.5] NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x1 (GPU Reset "
                            "Required) to 0x0 (None)\n";
  EXPECT_EQ(judged_log(fault + reset), words{});
  EXPECT_EQ(judged_log(reset + fault), words{"gsp.rpc-timeout"}) << "it came after the reset";
}

TEST(xid, the_only_gpu_of_nvml_is_the_only_gpu_of_the_node) {
  node_evidence node = node_with_log("[ 9.5] NVRM: Xid (PCI:0000:01:00): 63, Row Remapper: New row marked\n");
  const auto nvml_with_pending = [](int pending) {
    return fact<nvml_record>::known(
        parse_nvml_record(
            fmt::format(R"({{"schema": "gpucert-nvml-replay-1", "functions": {{"nvmlInit_v2": {{"ret": 0}}}},
          "devices": [{{"index": 0, "functions": {{"nvmlDeviceGetRemappedRows": {{"ret": 0, "values":
            {{"corrRows": 0, "uncRows": 1, "isPending": {}, "failureOccurred": 0}}}}}}}}]}})",
                        pending))
            .record.value(),
        "NVML");
  };
  node.nvml = nvml_with_pending(1);
  EXPECT_EQ(judged(node), words{"hw.row-remap-pending"});
  node.nvml = nvml_with_pending(0);
  EXPECT_EQ(judged(node), words{});
}

} // namespace
} // namespace gpucert
