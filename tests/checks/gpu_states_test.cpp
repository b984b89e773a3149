// SPDX-License-Identifier: Apache-2.0
// The checks that judge gpu_states: each rule with its fault and its healthy twin.
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using enum gpu_quantity;
using words = std::vector<std::string>;
using numbers = std::map<gpu_quantity, std::vector<long long>>;

gpu_state state(int index, const numbers &given, const char *name = "NVIDIA A100-SXM4-80GB") {
  gpu_state made;
  made.index = index;
  made.address = fmt::format("0000:{:02x}:00.0", index + 1);
  made.name = name;
  for (const auto &[quantity, readings] : given)
    made.statements[quantity] = {readings, "nvml.json", "as NVML says"};
  return made;
}

words judged(std::string_view check_name, std::vector<gpu_state> states) {
  node_evidence node = healthy_node();
  node.gpu_states = fact<std::vector<gpu_state>>::known(std::move(states), "nvml.json");
  const judgement result = judge(check_name, node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

const numbers healthy{{handle_return, {0}},
                      {recovery_action, {0}},
                      {ecc_mode, {1}},
                      {ecc_mode_pending, {1}},
                      {uncorrected_since_load, {0}},
                      {row_remap_pending, {0}},
                      {event_reasons, {1}},
                      {temperature, {40}},
                      {temperature_slowdown, {89}},
                      {pcie_width, {16}},
                      {pcie_width_max, {16}},
                      {persistence_mode, {1}},
                      {mig_mode, {0}},
                      {mig_mode_pending, {0}},
                      {fabric_state, {0}},
                      {nvlinks_active, {0}},
                      {power_limit_enforced, {400000}},
                      {power_limit_default, {400000}}};

words judged_with(std::string_view check_name, const numbers &changed) {
  numbers all = changed;
  all.insert(healthy.begin(), healthy.end());
  return judged(check_name, {state(0, all)});
}

TEST(gpu_states_judged, of_a_healthy_gpu_say_nothing) {
  for (const char *name :
       {"gpu_answers", "gpu_memory", "throttling", "pcie_link", "nvlink", "fabric_state", "gpu_settings"})
    EXPECT_EQ(judged_with(name, {}), words{}) << name;
}

TEST(gpu_answers, names_what_nvml_refuses) {
  EXPECT_EQ(judged_with("gpu_answers", {{handle_return, {15}}}), words{"hw.fell-off-bus"});
  EXPECT_EQ(judged_with("gpu_answers", {{handle_return, {16}}}), words{"hw.recovery-action-pending"});
  EXPECT_EQ(judged_with("gpu_answers", {{handle_return, {999}}}), words{"hw.gpu-missing"});
  EXPECT_EQ(judged_with("gpu_answers", {{recovery_action, {2}}}), words{"hw.recovery-action-pending"});
  EXPECT_EQ(judged_with("gpu_answers", {{inforom_return, {14}}}), words{"hw.inforom-problem"});
}

TEST(gpu_answers, says_once_that_nobody_was_asked) {
  node_evidence node = healthy_node();
  node.gpu_states = fact<std::vector<gpu_state>>::unknown("NVML", "needs --deep");
  EXPECT_EQ(in_words(judge("gpu_answers", node)), words{"? health and settings of the GPUs"});
  EXPECT_EQ(in_words(judge("gpu_memory", node)), words{});
}

TEST(gpu_answers, hears_nvidia_smi) {
  node_evidence node = healthy_node();
  node.symptoms = {
      {"commands/nvidia_smi.txt", "Unable to determine the device handle for GPU 0000:B3:00.0: Unknown Error\n"}};
  EXPECT_EQ(in_words(judge("gpu_answers", node)), words{"hw.gpu-missing"});
  node.symptoms[0].text = "Unable to determine the device handle for GPU0000:B3:00.0: GPU is lost.  Reboot the system";
  EXPECT_EQ(in_words(judge("gpu_answers", node)), words{"hw.fell-off-bus"});
}

TEST(gpu_memory, follows_the_rules_of_repair) {
  EXPECT_EQ(judged_with("gpu_memory", {{row_remap_pending, {1}}, {rows_remapped_uncorrected, {4}}}),
            words{"hw.row-remap-pending"});
  EXPECT_EQ(judged_with("gpu_memory", {{row_remap_failed, {1}}}), words{"hw.row-remap-failed"});
  EXPECT_EQ(judged_with("gpu_memory", {{rows_remapped_uncorrected, {4}}}), words{"hw.memory-watch"});
  EXPECT_EQ(judged_with("gpu_memory", {{sram_threshold_exceeded, {1}}}), words{"hw.memory-replacement-due"});
  EXPECT_EQ(judged_with("gpu_memory", {{banks_none, {1}}}), words{"hw.memory-replacement-due"});
  EXPECT_EQ(judged_with("gpu_memory", {{rows_remapped_corrected, {512}}}), words{});
  EXPECT_EQ(judged_with("gpu_memory", {{rows_remapped_corrected, {513}}}), words{"hw.memory-replacement-due"});
  EXPECT_EQ(judged_with("gpu_memory", {{pages_retired_double, {14}}}), words{});
  EXPECT_EQ(judged_with("gpu_memory", {{pages_retired_double, {63}}}), words{"hw.memory-replacement-due"});
  EXPECT_EQ(judged_with("gpu_memory", {{uncorrected_since_load, {1}}}), words{"hw.ecc-uncorrected"});
  EXPECT_EQ(judged_with("gpu_memory", {{corrected_since_load, {10}}}), words{});
  EXPECT_EQ(judged_with("gpu_memory", {{corrected_since_load, {11}}}), words{"hw.memory-watch"});
}

TEST(throttling, tells_protection_from_work) {
  const words fault{"hw.throttled"};
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x40 | 0x20}}}), fault);
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x80 | 0x8 | 0x1}}}), fault);
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x4}}}), words{}) << "the power limit";
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x8 | 0x1}}}), words{}) << "one reading at a change of state";
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x48, 0x8, 0x0}}}), words{}) << "gone";
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x20}}}), words{}) << "short";
  EXPECT_EQ(judged_with("throttling", {{event_reasons, {0x20, 0x20, 0x20}}}), fault) << "it lasts";
  EXPECT_EQ(judged_with("throttling", {{temperature, {90}}}), fault);
  EXPECT_EQ(judged_with("throttling", {{temperature, {90, 80}}}), words{});
}

TEST(pcie_link, by_nvml) {
  EXPECT_EQ(judged_with("pcie_link", {{pcie_width, {8}}}), words{"hw.pcie-link-degraded"});
  const numbers slow{{pcie_generation, {1}}, {pcie_generation_max, {4}}, {utilization, {0}}};
  EXPECT_EQ(judged_with("pcie_link", slow), words{"hw.pcie-idle-downshift"});
  numbers busy = slow;
  busy[utilization] = {95};
  EXPECT_EQ(judged_with("pcie_link", busy), words{"hw.pcie-link-degraded"});
  EXPECT_EQ(judged_with("pcie_link", {{pcie_replays, {12}}}), words{});
  EXPECT_EQ(judged_with("pcie_link", {{pcie_replay_rollovers, {1}}}), words{"hw.pcie-errors"});
}

TEST(pcie_link, by_the_kernel) {
  node_evidence node = healthy_node();
  const auto judged_link = [&](link_speed now, link_speed card, link_speed port) {
    node.pci_links = {{"0000:01:00.0", "/sys", now, card, port, {}, {}}};
    return in_words(judge("pcie_link", node));
  };
  EXPECT_EQ(judged_link({8, 160}, {16, 160}, {16, 160}), words{"hw.pcie-link-degraded"});
  EXPECT_EQ(judged_link({8, 160}, {16, 160}, {8, 160}), words{}) << "a narrow slot";
  EXPECT_EQ(judged_link({8, 160}, {16, 160}, {}), words{}) << "the slot is not known";
  EXPECT_EQ(judged_link({16, 25}, {16, 160}, {16, 160}), words{"hw.pcie-idle-downshift"});
}

TEST(nvlink, compares_with_the_board) {
  const auto with_links = [](std::initializer_list<long long> counts) {
    std::vector<gpu_state> states;
    for (const long long count : counts)
      states.push_back(state(static_cast<int>(states.size()), {{nvlinks_active, {count}}}));
    return states;
  };
  EXPECT_EQ(judged("nvlink", with_links({12, 12, 12, 11})), words{"hw.nvlink-error"});
  EXPECT_EQ(judged("nvlink", with_links({4, 4, 0, 0})), words{}) << "a bridge on two of four";
  EXPECT_EQ(judged("nvlink", with_links({12, 11})), words{}) << "two do not tell";
  EXPECT_EQ(judged_with("nvlink", {{nvlinks_active, {17}}, {nvlinks_to_switch, {18}}}), words{"hw.nvlink-error"});
}

TEST(fabric_state, of_each_kind) {
  const words fault{"fabric.state-not-ready"};
  EXPECT_EQ(judged_with("fabric_state", {{fabric_state, {1}}}), fault);
  EXPECT_EQ(judged_with("fabric_state", {{fabric_state, {2}}}), fault);
  EXPECT_EQ(judged_with("fabric_state", {{fabric_state, {3}}, {fabric_status, {999}}}), fault);
  EXPECT_EQ(judged_with("fabric_state", {{fabric_state, {3}}, {fabric_status, {0}}, {fabric_health_mask, {0x1aa}}}),
            words{});
  EXPECT_EQ(judged_with("fabric_state", {{fabric_state, {3}}, {fabric_health_mask, {0x19a}}}), fault) << "a bad route";
}

TEST(gpu_settings, on_servers_and_desktops) {
  EXPECT_EQ(judged_with("gpu_settings", {{mig_mode_pending, {1}}}), words{"mig.mode-pending"});
  EXPECT_EQ(judged_with("gpu_settings", {{ecc_mode_pending, {0}}}), words{"config.ecc-mode"});
  EXPECT_EQ(judged_with("gpu_settings", {{persistence_mode, {0}}}), words{"config.persistence-off"});
  EXPECT_EQ(judged_with("gpu_settings", {{power_limit_enforced, {300000}}}), words{"config.clocks-or-power-limited"});
  EXPECT_EQ(judged("gpu_settings", {state(0, {{persistence_mode, {0}}, {ecc_mode, {0}}, {ecc_mode_pending, {0}}},
                                          "NVIDIA GeForce RTX 4090")}),
            words{});
}

} // namespace
} // namespace gpucert
