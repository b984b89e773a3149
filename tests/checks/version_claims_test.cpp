// SPDX-License-Identifier: Apache-2.0
#include "checks/version_claims.h"
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

std::string in_words(const std::optional<version_claim> &claim) {
  return claim ? fmt::format("{}{} by {}", claim->release.text(), claim->is_cut ? " (cut)" : "", claim->source)
               : "none";
}

version_claim claim(std::string_view text, bool is_cut = false) { return {release(text), "test", "", is_cut}; }

TEST(version_claims, are_the_same_when_equal_or_cut) {
  EXPECT_TRUE(may_be_same(claim("550.54.15"), claim("550.54.15")));
  EXPECT_TRUE(may_be_same(claim("580.159", true), claim("580.159.03")));
  EXPECT_TRUE(may_be_same(claim("580.159.03"), claim("580.159", true)));
  EXPECT_TRUE(may_be_same(claim("580.159", true), claim("580.159", true)));
}

TEST(version_claims, differ_otherwise) {
  EXPECT_FALSE(may_be_same(claim("575.64"), claim("575.64.03"))) << "two releases, neither of them cut";
  EXPECT_FALSE(may_be_same(claim("580.159", true), claim("580.15.03")));
  EXPECT_FALSE(may_be_same(claim("580.159.03", true), claim("580.159"))) << "a whole one is no beginning of a cut one";
  EXPECT_FALSE(may_be_same(claim("550.54.15"), claim("550.54.14")));
}

TEST(claim_of_loaded_module, proc_then_sys_then_the_log) {
  node_evidence node = healthy_node();
  node.log = log_of({mismatch("560.35.05", "550.120"), mismatch("560.35.05", "535.161.07")});
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "550.54.15 by /proc/driver/nvidia/version");
  node.modules.nvidia = nobody_knows<loaded_module>();
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "550.54.15 by /sys/module");
  node.modules.versions.clear();
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "535.161.07 by kernel log") << "the latest event";
  node.modules.names = loaded_are({"ext4"});
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "none") << "what the log says was unloaded since";
}

TEST(claim_of_loaded_module, is_none_where_nobody_says_it) {
  node_evidence node = healthy_node();
  node.modules = {};
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "none");
  node.log = nobody_knows<kernel_log>();
  EXPECT_EQ(in_words(claim_of_loaded_module(node)), "none");
}

TEST(claim_of_userspace, libraries_then_packages_then_the_log_then_nvmls_words) {
  node_evidence node = healthy_node();
  node.packages =
      packages_are({package("nvidia-driver-550", "550.67-0ubuntu1"),
                    package("libnvidia-compute-550", "550.76-0ubuntu1"), package("nvidia-utils-550", "550.78-0ubuntu1"),
                    package("libnvidia-compute-560", "560.35.05-0ubuntu1", package_state::config_files)});
  node.log = log_of({mismatch("550.90.07", "550.54.15"), mismatch("535.161.07", "550.54.15")});
  node.symptoms = {{"symptoms/a.txt", "Failed\n    NVML library version: 550.107\n"}};
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.54.15 by /usr/lib/x86_64-linux-gnu/libcuda.so.1");
  node.libraries = nobody_knows<std::vector<driver_library>>();
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.78 by /var/lib/dpkg/status") << "the newest that has files";
  node.packages = packages_are({package("nvidia-driver-550", "550.67-0ubuntu1")});
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.67 by /var/lib/dpkg/status");
  node.packages = packages_are({});
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.90.07 by kernel log")
      << "an older client is a process that outlived an upgrade";
  node.log = log_of({});
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.107 (cut) by symptoms/a.txt");
  node.symptoms.clear();
  EXPECT_EQ(in_words(claim_of_userspace(node)), "none");
}

TEST(claim_of_userspace, passes_over_libraries_that_no_64_bit_process_gets_by_default) {
  node_evidence node = healthy_node();
  driver_library narrow = library("libcuda.so.1", "535.161.07", "/usr/lib/i386-linux-gnu");
  narrow.is_32_bit = true;
  node.libraries = fact<std::vector<driver_library>>::known(
      {narrow, library("libcuda.so.1", "560.35.05", "/usr/local/cuda/compat"), library("libcuda.so.1", "stub"),
       library("libnvidia-ml.so.1", "550.54.15")},
      "/etc/ld.so.cache");
  EXPECT_EQ(in_words(claim_of_userspace(node)), "550.54.15 by /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1");
}

TEST(claim_of_packages, does_not_depend_on_their_order) {
  node_evidence node = healthy_node();
  std::vector<installed_package> list = {package("nvidia-utils-550", "550.54.15-0ubuntu1"),
                                         package("libnvidia-compute-550", "550.54.15-0ubuntu1")};
  node.packages = packages_are(list);
  const std::string text = claim_of_packages(node, driver_part::userspace)->text;
  std::swap(list[0], list[1]);
  node.packages = packages_are(list);
  EXPECT_EQ(claim_of_packages(node, driver_part::userspace)->text, text);
}

TEST(claim_of_module_on_disk, is_that_of_the_file) {
  node_evidence node = healthy_node();
  EXPECT_EQ(in_words(claim_of_module_on_disk(node)), "550.54.15 by modinfo nvidia");
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  EXPECT_EQ(in_words(claim_of_module_on_disk(node)), "none");
}

TEST(reported_mismatch, by_a_tool_or_by_nvml) {
  node_evidence node = healthy_node();
  EXPECT_FALSE(reported_mismatch(node));
  node.nvml = nvml_fails_with(18);
  EXPECT_EQ(reported_mismatch(node)->source, "nvml.json");
  node.nvml = nvml_fails_with(9);
  EXPECT_FALSE(reported_mismatch(node));
  for (const char *words :
       {"Failed to initialize NVML: Driver/library version mismatch\n",
        "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown",
        "RM has detected an NVML/RM version mismatch"}) {
    node.symptoms = {{"symptoms/x.txt", words}};
    EXPECT_TRUE(reported_mismatch(node)) << words;
  }
  node.symptoms = {{"symptoms/x.txt", "Failed to initialize NVML: Unknown Error"}};
  EXPECT_FALSE(reported_mismatch(node));
}

TEST(has_driver, by_any_of_its_parts) {
  const node_evidence none = node_without_gpu();
  EXPECT_EQ(has_driver(none), false);
  node_evidence node = none;
  node.libraries = libraries_of("550.54.15");
  EXPECT_EQ(has_driver(node), true);
  node = none;
  node.packages = packages_are({package("libnvidia-compute-550", "550.54.15-0ubuntu1")});
  EXPECT_EQ(has_driver(node), true);
  node = none;
  node.module_on_disk = module_file_of("550.54.15");
  EXPECT_EQ(has_driver(node), true);
  node = none;
  node.modules.names = loaded_are({"nvidia"});
  EXPECT_EQ(has_driver(node), true);
}

TEST(has_driver, leftovers_and_compat_libraries_are_none) {
  node_evidence node = node_without_gpu();
  node.packages = packages_are({package("nvidia-utils-470", "470.161.03-0ubuntu1", package_state::config_files)});
  node.libraries = fact<std::vector<driver_library>>::known(
      {library("libcuda.so.1", "560.35.05", "/usr/local/cuda/compat")}, "/etc/ld.so.cache");
  EXPECT_EQ(has_driver(node), false) << "a toolkit brings compat libraries to machines without a driver";
}

TEST(has_driver, is_unknown_while_a_part_is) {
  node_evidence node = node_without_gpu();
  node.packages = nobody_knows<std::vector<installed_package>>();
  EXPECT_EQ(has_driver(node), std::nullopt);
  node.libraries = libraries_of("550.54.15");
  EXPECT_EQ(has_driver(node), true);
}

} // namespace
} // namespace gpucert
