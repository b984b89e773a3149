// SPDX-License-Identifier: Apache-2.0
// The nodes that gpucert was made for, one by one, with what a person on call must be told.
#include "tests/certify/running.h"

#include <map>

namespace gpucert {
namespace {

struct named_node {
  const char *folder;
  const char *root_cause;
  const char *action;
  const char *saw; // holds the facts that prove it
};

class capture_named_nodes : public testing::TestWithParam<named_node> {};

TEST_P(capture_named_nodes, are_diagnosed) {
  const named_node &node = GetParam();
  const command_result ran = run_gpucert({"check", "--root", nodes_folder + node.folder, "--format", "json"});
  EXPECT_EQ(ran.exit_code, 2);
  const json stack = stack_of(ran);
  ASSERT_TRUE(stack.is_object());
  EXPECT_EQ(stack["diagnosis"]["root_cause"], node.root_cause);
  EXPECT_EQ(stack["diagnosis"]["action"], node.action);
  EXPECT_EQ(stack["findings"][0]["saw"], node.saw);
  EXPECT_FALSE(stack["findings"][0]["evidence"].empty());
}

constexpr const char *older = "driver.module-older-than-userspace";
constexpr const char *reboot = "reboot-node";

INSTANTIATE_TEST_SUITE_P(reports, capture_named_nodes,
                         testing::Values(named_node{"userspace_newer_than_loaded_module_001", older, reboot,
                                                    "kernel module 580.126.09 in memory, user libraries 580.159"},
                                         named_node{"userspace_newer_than_loaded_module_006", older, reboot,
                                                    "kernel module 550.90.07 in memory, user libraries 550.107.02"},
                                         named_node{"other_driver_bound_015", "driver.other-driver-bound",
                                                    "blacklist-other-driver", "a GPU is held by another driver"},
                                         named_node{"other_driver_bound_016", "driver.other-driver-bound",
                                                    "blacklist-other-driver", "0000:01:00.0 is held by NovaCore"},
                                         named_node{"module_newer_than_userspace_023",
                                                    "driver.module-newer-than-userspace", "install-matching-packages",
                                                    "module package of release 565.77, user libraries 565.57.01"},
                                         named_node{"userspace_newer_than_loaded_module_029", older, reboot,
                                                    "kernel module 535.161.07 in memory, user libraries 535.183.01"},
                                         named_node{"userspace_newer_than_loaded_module_033", older, reboot,
                                                    "kernel module 530.30.02 in memory, user libraries 535.54.03"},
                                         named_node{"mismatch_log_storm_046", older, reboot,
                                                    "kernel module 580.126.09 in memory, user libraries 580.142"},
                                         named_node{"multiple_library_copies_051", older, reboot,
                                                    "kernel module 550.90.07 in memory, user libraries 610.43.02"},
                                         named_node{"device_nodes_missing_084", "nodes.uvm-missing",
                                                    "create-device-nodes", "/dev/nvidiactl without /dev/nvidia-uvm"}),
                         [](const auto &node) { return node.param.folder; });

TEST(capture_incident, fault_has_a_way_back) {
  const json stack = stack_of(run_gpucert({"check", "--root", nodes_folder + "incident_fault", "--format", "json"}));
  ASSERT_TRUE(stack.is_object());
  const json &way = stack["diagnosis"]["way_back"];
  ASSERT_TRUE(way.is_object());
  EXPECT_EQ(way["release"], "535.161.07");
  EXPECT_EQ(way["packages"].size(), 4U);
  EXPECT_EQ(way["needs_reboot"], false);
  EXPECT_TRUE(way["is_obtainable"].is_null()); // the capture has no caches
}

TEST(capture_incident, fault_is_told_with_versions_upgrade_and_advice) {
  const command_result ran = run_gpucert({"check", "--root", nodes_folder + "incident_fault"});
  EXPECT_EQ(ran.exit_code, 2);
  for (const char *part : {"Root cause: driver.module-older-than-userspace",
                           "kernel module 535.161.07 in memory, user libraries 550.54.15",
                           "2024-06-12 06:41:03  /usr/bin/unattended-upgrade moved the driver 535.161.07 -> 550.54.15",
                           "What to do: Check the next boot, then reboot (reboot-node)",
                           "the module on disk is already 550.54.15", "packages.unattended-upgrade-changed-driver"})
    EXPECT_NE(ran.output.find(part), std::string::npos) << "not told: " << part;

  const json stack = stack_of(run_gpucert({"check", "--root", nodes_folder + "incident_fault", "--format", "json"}));
  EXPECT_EQ(stack["versions"]["kernel_module_version"], "535.161.07");
  EXPECT_EQ(stack["versions"]["libcuda_version"], "550.54.15");
  EXPECT_TRUE(stack["findings"][0]["inferred_because"].is_null());
  const json &conclusion = stack["diagnosis"];
  EXPECT_EQ(conclusion["timeline"][1]["when"], "2024-06-12 06:41:03");
  EXPECT_EQ(conclusion["history"]["hidden_for_seconds"], 26509); // 06:41:03 to 14:02:52

  // What took the people on call an hour by hand. Heat cannot be read while NVML does not answer.
  std::map<std::string, std::string> rulings;
  for (const json &judged : conclusion["hypotheses"])
    rulings[judged["name"]] = judged["ruling"];
  EXPECT_EQ(rulings, (std::map<std::string, std::string>{{"container", "ruled out"},
                                                         {"heat", "unknown"},
                                                         {"memory_errors", "ruled out"},
                                                         {"person", "ruled out"},
                                                         {"power_and_pcie", "ruled out"}}));
}

TEST(capture_incident, repaired_node_passes) {
  const command_result ran = run_gpucert({"check", "--root", nodes_folder + "incident_repaired", "--format", "json"});
  EXPECT_EQ(ran.exit_code, 0);
  const json stack = stack_of(ran);
  EXPECT_EQ(stack["status"], "pass");
  ASSERT_EQ(stack["unknown"].size(), 1U) << "the capture does not say which kernel boots next, and nothing else lacks";
  EXPECT_EQ(stack["unknown"][0]["check"], "next_boot");
  EXPECT_EQ(stack["diagnosis"]["action"], "none");
}

// Nothing states the version of the loaded module; it follows from the package log, and is not passed off as read.
TEST(capture_case_002, conclusion_from_the_package_log_is_marked_as_inferred) {
  const command_result ran =
      run_gpucert({"check", "--root", nodes_folder + "userspace_newer_than_loaded_module_002", "--format", "json"});
  EXPECT_EQ(ran.exit_code, 2);
  const json stack = stack_of(ran);
  const json &found = stack["findings"][0];
  EXPECT_EQ(found["id"], older);
  EXPECT_TRUE(found["inferred_because"].is_string());
  EXPECT_TRUE(stack["versions"].contains("kernel_module_version"));
  EXPECT_TRUE(stack["versions"]["kernel_module_version"].is_null());
  const std::string evidence = found["evidence"].dump();
  EXPECT_NE(evidence.find("/var/log/apt/history.log"), std::string::npos) << evidence;
  EXPECT_NE(evidence.find("2024-04-13  06:28:16 /usr/bin/unattended-upgrade"), std::string::npos) << evidence;
}

} // namespace
} // namespace gpucert
