// SPDX-License-Identifier: Apache-2.0
// Checks of what the kernel says beside Xids: recovery_action, gpu_start, log_storm, pcie_errors, gsp_firmware.
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(std::string_view check_name, const node_evidence &node) {
  const judgement result = judge(check_name, node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

/// A node on which NVML was not asked, and whose log is this.
node_evidence node_with_log(std::string_view text) {
  node_evidence node = healthy_node();
  node.nvml = nobody_knows<nvml_record>();
  node.log = fact<kernel_log>::known(parse_kernel_log(text), "dmesg");
  return node;
}

words judged_log(std::string_view check_name, std::string_view text) { return judged(check_name, node_with_log(text)); }

TEST(kernel_log_checks, are_silent_on_a_healthy_node) {
  for (const char *name : {"recovery_action", "gpu_start", "log_storm", "pcie_errors", "gsp_firmware"}) {
    EXPECT_EQ(judged(name, healthy_node()), words{}) << name;
    node_evidence node = healthy_node();
    node.log = nobody_knows<kernel_log>();
    EXPECT_EQ(judged(name, node), words{}) << name << ": check xid says that the log is not known";
  }
}

constexpr const char *asks_reset =
    "[ 9.0] NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)\n";
constexpr const char *asks_nothing = "[ 20.0] NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x1 "
                                     "(GPU Reset Required) to 0x0 (None)\n";

TEST(recovery_action, of_the_last_line_of_each_gpu) {
  EXPECT_EQ(judged_log("recovery_action", asks_reset), words{"hw.recovery-action-pending"});
  EXPECT_EQ(judged_log("recovery_action", std::string(asks_reset) + asks_nothing), words{});
  EXPECT_EQ(judged_log("recovery_action",
                       std::string(asks_reset) + asks_nothing +
                           "[ 30.0] NVRM: Xid (PCI:0000:02:00): 154, GPU recovery action changed from 0x0 (None) to "
                           "0x2 (OS Reboot)\n"),
            words{"hw.recovery-action-pending"});
  const judgement result = judge("recovery_action", node_with_log(asks_reset));
  EXPECT_EQ(result.findings().at(0).saw(), "GPU 0000:01:00.0 asks for: 0x1 (GPU Reset Required)");
}

TEST(gpu_start, names_the_cause_beside_the_symptom) {
  const std::string failed = "[ 8.0] NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x62:0x25:2015)\n";
  const std::pair<const char *, const char *> causes[] = {
      {"GPU 0000:01:00.0: GPU does not have the necessary power cables connected.", "hw.aux-power-missing"},
      {"GPU0 gpuWaitForGfwBootComplete_TU102: failed to wait for GFW_BOOT", "hw.gpu-firmware-boot-failed"},
      {"GPU0 kgspBootstrap_TU102: unexpected WPR2 already up, cannot proceed", "gsp.bad-state"},
      {"GPU 0000:01:00.0: GPU has fallen off the bus.", "hw.fell-off-bus"}};
  for (const auto &[text, id] : causes)
    EXPECT_EQ(judged_log("gpu_start", fmt::format("[ 7.0] NVRM: {}\n{}", text, failed)),
              (words{id, "driver.gpu-init-failed"}));
  EXPECT_EQ(judged_log("gpu_start", failed), words{"driver.gpu-init-failed"});
}

TEST(gpu_start, that_failed_and_was_repeated_is_no_fault) {
  node_evidence node = node_with_log("[ 8.0] NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x62:0x25:2015)\n");
  node.nvml = nvml_counts(1);
  EXPECT_EQ(judged("gpu_start", node), words{});
  node.nvml = nvml_counts(0);
  EXPECT_EQ(judged("gpu_start", node), words{"driver.gpu-init-failed"});
}

TEST(gpu_start, leaves_to_xid_what_xid_reports) {
  EXPECT_EQ(judged_log("gpu_start", "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n"
                                    "NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.\n"),
            words{});
}

std::string repeated(int count, double seconds_between, std::string_view message) {
  std::string text;
  for (int event = 0; event < count; ++event)
    text += fmt::format("[{:.3f}] {}\n", 1000 + event * seconds_between, message);
  return text;
}

TEST(log_storm, is_many_in_a_second_or_in_an_hour) {
  const words storm{"host.log-storm"};
  EXPECT_EQ(judged_log("log_storm", repeated(54, 0.018, "NVRM: nvAssertFailed: x")), storm);
  EXPECT_EQ(judged_log("log_storm", repeated(50, 0.018, "NVRM: nvAssertFailed: x")), words{});
  EXPECT_EQ(judged_log("log_storm", repeated(703, 3.8, "NVRM: nvAssertFailed: x")), storm);
  EXPECT_EQ(judged_log("log_storm", repeated(703, 600, "NVRM: nvAssertFailed: x")), words{}) << "over five days";
  EXPECT_EQ(judged_log("log_storm", repeated(500, 0.01, "nouveau 0000:01:00.0: x")), words{});
}

TEST(pcie_errors, are_those_of_gpus) {
  const char *of_gpu = "[ 9.0] pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0\n";
  const char *of_disk = "[ 9.0] pcieport 0000:00:02.0: AER: Corrected error received: 0000:02:00.0\n";
  EXPECT_EQ(judged_log("pcie_errors", of_gpu), words{"hw.pcie-errors"});
  EXPECT_EQ(judged_log("pcie_errors", of_disk), words{});
  EXPECT_EQ(judged_log("pcie_errors", "[ 0.5] pcieport 0000:00:01.0: AER: enabled with IRQ 122\n"), words{});
  const judgement grave = judge(
      "pcie_errors", node_with_log("nvidia 0000:01:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=x\n"));
  EXPECT_EQ(grave.findings().at(0).notes().size(), 1U);
}

TEST(gsp_firmware, that_the_module_refuses) {
  const char *mismatch = "NVRM: GPU0 _kgspFwContainerVerifyVersion: GSP firmware image version mismatch: got version "
                         "595.71.05, expected version 595.58.03\n";
  EXPECT_EQ(judged_log("gsp_firmware", mismatch), words{"driver.gsp-firmware-mismatch"});
  node_evidence node = node_with_log(mismatch);
  node.nvml = nvml_counts(1);
  EXPECT_EQ(judged("gsp_firmware", node), words{}) << "every GPU has started since";
}

TEST(gsp_firmware, that_is_not_on_the_disk) {
  node_evidence node = node_with_log("");
  node.modules.nvidia.value->flavour = module_flavour::open;
  const auto firmware_of = [](std::vector<std::string> releases) {
    return fact<std::vector<std::string>>::known(std::move(releases), "/lib/firmware/nvidia");
  };
  EXPECT_EQ(judged("gsp_firmware", node), words{}) << "nobody knows what is there";
  node.gsp.releases = firmware_of({"550.54.15"});
  EXPECT_EQ(judged("gsp_firmware", node), words{});
  node.gsp.releases = firmware_of({"550.90.07"});
  EXPECT_EQ(judged("gsp_firmware", node), words{"driver.gsp-firmware-missing"});
  node.gsp.releases = firmware_of({});
  EXPECT_EQ(judged("gsp_firmware", node), words{"driver.gsp-firmware-missing"});
  node.nvml = nvml_counts(1);
  EXPECT_EQ(judged("gsp_firmware", node), words{}) << "it lies somewhere else: the GPU has started";
  node.nvml = nobody_knows<nvml_record>();
  node.modules.nvidia.value->flavour = module_flavour::proprietary;
  EXPECT_EQ(judged("gsp_firmware", node), words{}) << "that flavour starts many GPUs without it";
}

TEST(gsp_firmware, that_is_switched_off) {
  node_evidence node = healthy_node();
  node.gsp.switched_off.push_back({"/etc/modprobe.d/nvidia.conf", "options nvidia NVreg_EnableGpuFirmware=0"});
  EXPECT_EQ(judged("gsp_firmware", node), words{"gsp.firmware-disabled"});
}

} // namespace
} // namespace gpucert
