// SPDX-License-Identifier: Apache-2.0
#include "node/gpu_state.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using enum gpu_quantity;

std::vector<gpu_state> smi(std::string_view text) { return parse_smi_query(text, "nvidia_smi_q.txt"); }

TEST(smi_query, reads_an_excerpt_without_a_gpu_line) {
  const auto states = smi("    Remapped Rows\n        Correctable Error                 : 0\n"
                          "        Uncorrectable Error               : 4\n        Pending                   : Yes\n"
                          "        Remapping Failure Occurred        : No\n");
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].value(rows_remapped_uncorrected), 4);
  EXPECT_EQ(states[0].value(row_remap_pending), 1);
  EXPECT_EQ(states[0].value(row_remap_failed), 0);
  EXPECT_FALSE(states[0].address);
}

TEST(smi_query, tells_gpus_apart) {
  const auto states = smi("Driver Version : 550.54.15\nGPU 00000000:3B:00.0\n    Product Name : NVIDIA A100-SXM4-80GB\n"
                          "    ECC Mode\n        Current : Enabled\n        Pending : Disabled\n"
                          "GPU 00000001:5E:00.0\n    ECC Mode\n        Current : N/A\n");
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states[0].address, "0000:3b:00.0");
  EXPECT_EQ(states[0].name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(states[0].value(ecc_mode), 1);
  EXPECT_EQ(states[0].value(ecc_mode_pending), 0);
  EXPECT_EQ(states[1].address, "0001:5e:00.0");
  EXPECT_FALSE(states[1].value(ecc_mode)) << "N/A is no value";
}

TEST(smi_query, adds_up_errors_of_both_memories_and_keeps_volatile_apart) {
  const auto states = smi("GPU 00000000:01:00.0\n    ECC Errors\n        Volatile\n"
                          "            SRAM Uncorrectable Parity : 0\n            DRAM Uncorrectable : 2\n"
                          "            SRAM Uncorrectable SEC-DED : 1\n        Aggregate\n"
                          "            DRAM Uncorrectable : 90\n            SRAM Threshold Exceeded : Yes\n");
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].value(uncorrected_since_load), 3);
  EXPECT_EQ(states[0].value(sram_threshold_exceeded), 1);
}

TEST(smi_query, knows_both_names_of_the_event_reasons) {
  for (const char *title : {"Clocks Throttle Reasons", "Clocks Event Reasons"}) {
    const auto states = smi(std::string(title) + "\n    Idle : Active\n    HW Slowdown : Active\n"
                                                 "        HW Thermal Slowdown : Not Active\n"
                                                 "        HW Power Brake Slowdown : Active\n");
    ASSERT_EQ(states.size(), 1U) << title;
    EXPECT_EQ(states[0].value(event_reasons),
              gpu_event_reason::idle | gpu_event_reason::hardware_slowdown | gpu_event_reason::power_brake);
  }
}

TEST(smi_query, takes_any_text) {
  EXPECT_TRUE(smi("").empty());
  EXPECT_TRUE(smi("no such thing\n: : :\n\t : \nRemapped Rows\n Pending : maybe\n").empty());
}

TEST(gpu_states, of_nvml_with_samples_and_links) {
  const auto parsed = parse_nvml_record(R"({"schema": "gpucert-nvml-replay-1", "devices": [{"index": 0, "functions": {
    "nvmlDeviceGetHandleByIndex_v2": {"ret": 0},
    "nvmlDeviceGetPciInfo_v3": {"ret": 0, "values": {"busId": "00000000:3B:00.0"}},
    "nvmlDeviceGetCurrentClocksEventReasons": {"ret": 0, "samples": [72, 8]},
    "nvmlDeviceValidateInforom": {"ret": 14},
    "nvmlDeviceGetNvLinkState": {"calls": [{"args": {"link": 0}, "ret": 0, "value": 1},
                                           {"args": {"link": 1}, "ret": 0, "value": 0}]}},
    "fields": {"NVML_FI_DEV_GET_GPU_RECOVERY_ACTION": {"ret": 0, "value": 2}}}]})");
  ASSERT_TRUE(parsed.record) << parsed.error;
  const auto states = gpu_states_of(*parsed.record, "nvml.json");
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].label(), "GPU 0000:3b:00.0");
  EXPECT_EQ(states[0].find(event_reasons)->bits_held(), 8);
  EXPECT_EQ(states[0].value(inforom_return), 14);
  EXPECT_EQ(states[0].value(recovery_action), 2);
  EXPECT_EQ(states[0].value(nvlinks_active), 1);
  EXPECT_FALSE(states[0].value(ecc_mode));
}

TEST(gpu_states, are_completed_by_the_second_witness) {
  std::vector<gpu_state> states(1);
  states[0].statements[ecc_mode] = {{1}, "nvml", "on"};
  gpu_state more;
  more.address = "0000:01:00.0";
  more.statements[ecc_mode] = {{0}, "smi", "off"};
  more.statements[mig_mode] = {{0}, "smi", "off"};
  complete_gpu_states(states, {more});
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].value(ecc_mode), 1) << "NVML's word counts";
  EXPECT_EQ(states[0].value(mig_mode), 0);
  EXPECT_EQ(states[0].address, "0000:01:00.0");
}

TEST(gpu_models, for_servers) {
  for (const char *name : {"NVIDIA A100-SXM4-80GB", "NVIDIA H200", "Tesla T4", "NVIDIA L40S"})
    EXPECT_TRUE(is_datacenter_gpu(name)) << name;
  for (const char *name :
       {"NVIDIA GeForce RTX 4090", "NVIDIA RTX A4000", "Quadro P400", "NVIDIA RTX 6000 Ada Generation"})
    EXPECT_FALSE(is_datacenter_gpu(name)) << name;
}

} // namespace
} // namespace gpucert
