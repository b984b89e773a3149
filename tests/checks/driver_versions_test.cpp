// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(const node_evidence &node) {
  const judgement result = judge("driver_versions", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

bool has_note(const node_evidence &node, std::string_view part) {
  const judgement result = judge("driver_versions", node);
  for (const finding &found : result.findings())
    for (const std::string &note : found.notes())
      if (note.find(part) != note.npos)
        return true;
  return false;
}

const words module_older{"driver.module-older-than-userspace"};
const words module_newer{"driver.module-newer-than-userspace"};
const words on_disk_stale{"driver.module-on-disk-stale"};

TEST(driver_versions, of_a_healthy_node) {
  EXPECT_EQ(judged(healthy_node()), words{});
  EXPECT_EQ(judged(healthy_node("575.64")), words{});
}

TEST(driver_versions, libraries_upgraded_under_the_loaded_module) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  EXPECT_EQ(judged(node), module_older);
  EXPECT_TRUE(has_note(node, "A reboot into 6.8.0 helps"));
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  EXPECT_EQ(judged(node), module_older);
  EXPECT_TRUE(has_note(node, "Do not reboot yet"));
  node.module_on_disk = nobody_knows<module_file>();
  EXPECT_EQ(judged(node), module_older);
  EXPECT_TRUE(has_note(node, "is not known"));
}

TEST(driver_versions, libraries_older_than_the_loaded_module) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("560.35.05");
  node.module_on_disk = nobody_knows<module_file>();
  EXPECT_EQ(judged(node), module_newer);
}

TEST(driver_versions, a_release_of_two_numbers_is_not_one_of_three) {
  node_evidence node = healthy_node("575.64.03");
  node.modules.nvidia = module_in_proc("575.64");
  EXPECT_EQ(judged(node), module_older);
  node = healthy_node("575.64");
  node.modules.nvidia = module_in_proc("575.64.03");
  EXPECT_EQ(judged(node), module_newer);
}

TEST(driver_versions, module_on_disk_stays_behind) {
  node_evidence node = healthy_node();
  node.module_on_disk = module_file_of("535.161.07");
  EXPECT_EQ(judged(node), on_disk_stale) << "the loaded one still fits; the next boot will not";
  node.modules.nvidia = module_in_proc("535.161.07");
  EXPECT_EQ(judged(node), on_disk_stale) << "a reboot would load the same again";
  EXPECT_TRUE(has_note(node, "A reboot alone does not help"));
}

TEST(driver_versions, module_on_disk_is_ahead) {
  node_evidence node = healthy_node();
  node.module_on_disk = module_file_of("560.35.05");
  EXPECT_EQ(judged(node), module_newer);
}

TEST(driver_versions, two_missing_versions_are_not_equal) {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.names = loaded_are({"nvidia"});
  node.module_on_disk = nobody_knows<module_file>();
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.packages = nobody_knows<std::vector<installed_package>>();
  EXPECT_EQ(judged(node), words{"? release of the user-space libraries"});
  node.libraries = libraries_of("550.54.15");
  EXPECT_EQ(judged(node), words{"? release of the loaded module"});
  node.modules.names = nobody_knows<std::vector<std::string>>();
  EXPECT_EQ(judged(node), words{"? release of the loaded module"});
  node.modules.names = loaded_are({"ext4"});
  EXPECT_EQ(judged(node), words{}) << "none is loaded, so there is nothing to compare";
}

TEST(driver_versions, libraries_without_a_release_are_unknown) {
  node_evidence node = healthy_node();
  node.libraries = fact<std::vector<driver_library>>::known({library("libcuda.so.1", "stub")}, "/etc/ld.so.cache");
  node.packages = packages_are({});
  EXPECT_EQ(judged(node), words{"? release of the user-space libraries"});
}

TEST(driver_versions, cut_version_of_nvmls_message) {
  node_evidence node = healthy_node("580.159.03");
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.packages = nobody_knows<std::vector<installed_package>>();
  node.symptoms = {{"commands/nvidia_smi.txt", "Failed to initialize NVML: Driver/library version mismatch\n"
                                               "NVML library version: 580.159\n"}};
  EXPECT_EQ(judged(node), words{"userspace.version-mismatch"}) << "580.159.03 may be meant";
  node.modules.nvidia = module_in_proc("580.126.09");
  EXPECT_EQ(judged(node), (words{"userspace.version-mismatch", "driver.module-older-than-userspace"}));
}

TEST(driver_versions, the_log_names_both) {
  node_evidence node = healthy_node();
  node.modules = {};
  node.module_on_disk = nobody_knows<module_file>();
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.packages = nobody_knows<std::vector<installed_package>>();
  node.log = log_of({mismatch("550.54.15", "535.161.07")});
  EXPECT_EQ(judged(node), module_older);
  node.log = log_of({mismatch("535.161.07", "550.54.15")});
  EXPECT_EQ(judged(node), words{"? release of the user-space libraries"}) << "an old process proves no old libraries";
}

TEST(driver_versions, old_processes_of_a_healthy_node_are_no_fault) {
  node_evidence node = healthy_node();
  node.log = log_of({mismatch("535.161.07", "550.54.15")});
  EXPECT_EQ(judged(node), words{});
}

TEST(driver_versions, module_package_moved_alone) {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.names = nobody_knows<std::vector<std::string>>();
  node.module_on_disk = nobody_knows<module_file>();
  node.packages =
      packages_are({package("kmod-nvidia-open-dkms", "560.35.05-1"), package("kmod-nvidia", "560.35.05-1")});
  EXPECT_EQ(judged(node), module_newer);
  node.packages = packages_are({package("kmod-nvidia", "550.54.15-1")});
  EXPECT_EQ(judged(node), words{"? release of the loaded module"});
}

TEST(driver_versions, the_last_upgrade_speaks_where_the_module_does_not) {
  node_evidence node = healthy_node();
  node.modules = {};
  node.module_on_disk = nobody_knows<module_file>();
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.packages = nobody_knows<std::vector<installed_package>>();
  node.history = history_is({apt_moved("535.161.07", "550.54.15")});
  EXPECT_EQ(judged(node), words{"? release of the user-space libraries"}) << "an upgrade alone is no mismatch";
  node.symptoms = {{"symptoms/nvml_error.txt", "Driver/library version mismatch"}};
  EXPECT_EQ(judged(node), (words{"userspace.version-mismatch", "driver.module-older-than-userspace"}));
  const judgement inferred = judge("driver_versions", node);
  EXPECT_TRUE(inferred.findings().back().inferred_because());
  node.history = history_is({apt_moved("550.54.15", "535.161.07")});
  EXPECT_EQ(judged(node), (words{"userspace.version-mismatch", "? release of the user-space libraries"}));
}

TEST(driver_versions, jetson_and_wsl2_are_left_alone) {
  for (bool platform::*kind : {&platform::is_jetson, &platform::is_wsl2}) {
    node_evidence node = healthy_node();
    node.modules.nvidia = module_in_proc("35.3.1");
    node.platform.*kind = true;
    EXPECT_EQ(judged(node), words{});
    node.symptoms = {{"symptoms/x.txt", "Driver/library version mismatch"}};
    EXPECT_EQ(judged(node), words{"userspace.version-mismatch"}) << "what a tool says is said";
  }
}

TEST(driver_versions, without_a_driver_has_nothing_to_compare) { EXPECT_EQ(judged(node_without_gpu()), words{}); }

TEST(driver_versions, a_boot_after_the_upgrade_that_loaded_the_old_module_again) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  package_transaction upgrade = apt_moved("535.161.07", "550.54.15");
  upgrade.end = parse_log_time("2024-06-12  06:45:00");
  node.history = history_is({upgrade});
  session_history sessions;
  sessions.boots = {parse_log_time("2024-06-12  06:40:00")->local};
  node.sessions = fact<session_history>::known(sessions, "wtmp");
  EXPECT_EQ(in_words(judge("driver_versions", node)), std::vector<std::string>{"driver.module-older-than-userspace"})
      << "a reboot has not been tried";
  sessions.boots = {parse_log_time("2024-06-13  08:00:00")->local};
  node.sessions = fact<session_history>::known(sessions, "wtmp");
  EXPECT_EQ(in_words(judge("driver_versions", node)), std::vector<std::string>{"driver.module-in-initramfs-stale"});
}

} // namespace
} // namespace gpucert
