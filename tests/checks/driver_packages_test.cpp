// SPDX-License-Identifier: Apache-2.0
// The checks of what packages a driver is made of: mixed_branches, module_source, driver_dependency, repository_skew
// and mixed_sources.
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words judged(std::string_view check, const node_evidence &node) {
  const judgement result = judge(check, node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

node_evidence node_with(std::vector<installed_package> packages) {
  node_evidence node = healthy_node();
  node.packages = packages_are(std::move(packages));
  return node;
}

TEST(mixed_branches, are_found) {
  EXPECT_EQ(judged("mixed_branches", node_with({package("libnvidia-compute-535", "535.183.01-0ubuntu0.22.04.1"),
                                                package("nvidia-utils-550", "550.54.15-0ubuntu0.22.04.1")})),
            words{"packages.mixed-branches"});
}

TEST(mixed_branches, count_by_version_and_by_what_is_installed) {
  EXPECT_EQ(judged("mixed_branches", healthy_node()), words{});
  const auto new_one = package("libnvidia-compute-550", "550.54.15-0ubuntu0.22.04.1");
  for (const installed_package &harmless :
       {package("libnvidia-compute-535", "550.54.15-0ubuntu0.22.04.1"), // a transitional package
        package("libnvidia-compute-535", "535.183.01-0ubuntu0.22.04.1", package_state::config_files),
        package("nvidia-kernel-common-535", "535.183.01-0ubuntu0.22.04.1"),
        package("nvidia-firmware-535-535.183.01", "535.183.01-0ubuntu0.22.04.1"),
        package("nvidia-settings", "510.47.03-0ubuntu1"), package("libnvidia-container1", "1.17.4-1")})
    EXPECT_EQ(judged("mixed_branches", node_with({new_one, harmless})), words{}) << harmless.name;
}

node_evidence node_with_sources(std::string_view sources) {
  node_evidence node = node_with({package("libnvidia-compute-550", "550.54.15-0ubuntu0.22.04.1"),
                                  package("nvidia-dkms-550", fmt::format("{}-0ubuntu0.22.04.1", sources))});
  node.module_on_disk = module_file_of("550.40.07");
  return node;
}

TEST(module_source, of_an_older_release_than_the_libraries) {
  EXPECT_EQ(judged("module_source", node_with_sources("550.40.07")), words{"packages.module-source-older"});
  EXPECT_EQ(judged("module_source", node_with_sources("550.54.15")), words{});
}

TEST(module_source, that_the_new_package_left_old_in_the_tree) {
  node_evidence node = node_with_sources("550.54.15");
  node.on_disk.dkms = fact<dkms_status>::known(parse_dkms_status("nvidia/550.40.07, 6.8.0, x86_64: installed\n"),
                                               "commands/dkms_status.txt");
  EXPECT_EQ(judged("module_source", node), words{"packages.module-source-older"});
  node.on_disk.dkms = fact<dkms_status>::known(
      parse_dkms_status("nvidia/550.40.07, 6.8.0, x86_64: installed\nnvidia/550.54.15: added\n"), "dkms");
  EXPECT_EQ(judged("module_source", node), words{});
}

TEST(module_source, beside_a_matching_module_is_a_leftover) {
  node_evidence node = node_with_sources("550.40.07");
  node.module_on_disk = module_file_of("550.54.15");
  EXPECT_EQ(judged("module_source", node), words{});
  node.module_on_disk = nobody_knows<module_file>();
  node.modules = {};
  node.packages.value->push_back(package("linux-modules-nvidia-550-6.8.0-40-generic", "6.8.0-40.40"));
  EXPECT_EQ(judged("module_source", node), words{}); // a prebuilt module whose release no version tells
}

/// The libraries went to 550, and the module in memory is still 535.
node_evidence node_after(std::string_view command_line) {
  node_evidence node = healthy_node();
  node.modules.nvidia = module_in_proc("535.161.07");
  node.history = history_is({apt_moved("535.161.07", "550.54.15", command_line)});
  return node;
}

TEST(driver_dependency, of_something_else_that_was_installed) {
  for (const char *line : {"apt-get install nvidia-cuda-toolkit", "apt install -y ./blender.deb",
                           "/usr/bin/apt-get --yes install cuda-12-4", "dnf install steam", "apt autoremove foo"})
    EXPECT_EQ(judged("driver_dependency", node_after(line)), words{"packages.dependency-changed-driver"}) << line;
}

TEST(driver_dependency, of_a_decision_is_none) {
  for (const char *line :
       {"apt upgrade", "apt-get dist-upgrade", "/usr/bin/unattended-upgrade", "apt install nvidia-driver-550",
        "apt-get install libnvidia-compute-550=550.54.15-0ubuntu1 foo", "apt install nvidia-*", "apt-get -f install",
        "apt install foo ./nvidia-driver-550_550.54.15_amd64.deb", "apt-get install foo libnvidia-compute-550:i386"})
    EXPECT_EQ(judged("driver_dependency", node_after(line)), words{}) << line;
}

TEST(driver_dependency, that_the_module_has_followed_is_history) {
  node_evidence node = node_after("apt install nvidia-cuda-toolkit");
  node.modules.nvidia = module_in_proc("550.54.15");
  EXPECT_EQ(judged("driver_dependency", node), words{});
}

node_evidence node_that_said(std::string_view source, std::string_view text) {
  node_evidence node = healthy_node();
  node.symptoms = {{std::string(source), std::string(text)}};
  return node;
}

TEST(repository_skew, as_package_managers_say_it) {
  const words skew{"packages.repo-skew"};
  for (const char *line :
       {"  - nothing provides nvidia-kmod = 3:575.64.03 needed by nvidia-driver-3:575.64.03-1.el9.x86_64",
        "Problem: package nvidia-driver-3:565.77-1.fc41.x86_64 requires nvidia-kmod = 3:565.77, but none of the "
        "providers can be installed"})
    EXPECT_EQ(judged("repository_skew", node_that_said("symptoms/dnf_output.txt", line)), skew) << line;
  EXPECT_EQ(judged("repository_skew",
                   node_that_said("symptoms/apt_output.txt",
                                  " nvidia-dkms-550 : Depends: nvidia-kernel-common-550 (= 550.54.15-0ubuntu1) but "
                                  "550.90.07-0ubuntu0.22.04.1 is to be installed")),
            skew);
}

TEST(repository_skew, is_not_what_concerns_others) {
  for (const char *line :
       {"  - nothing provides libGLdispatch.so.0 needed by nvidia-driver-libs-3:575.64.03-1.el9.x86_64",
        "  - nothing provides foo = 1.2 needed by bar-1.2-1.el9.x86_64",
        " kmod-nvidia    x86_64    3:565.77-1.el8    epel-nvidia    40 M",
        "The following packages have been kept back: nvidia-driver-550 libnvidia-compute-550"})
    EXPECT_EQ(judged("repository_skew", node_that_said("symptoms/dnf_output.txt", line)), words{}) << line;
  EXPECT_EQ(judged("repository_skew", healthy_node()), words{});
}

const words two_ways{"packages.mixed-sources"};

TEST(mixed_sources, of_one_release_from_two_repositories) {
  EXPECT_EQ(judged("mixed_sources", node_with({package("libnvidia-compute-535", "535.183.06-0ubuntu0.22.04.1"),
                                               package("nvidia-dkms-535", "535.183.06-0ubuntu1")})),
            two_ways);
  EXPECT_EQ(judged("mixed_sources", node_with({package("libnvidia-compute-535", "535.183.06-0ubuntu1"),
                                               package("nvidia-dkms-535", "535.183.06-0ubuntu1")})),
            words{});
}

TEST(mixed_sources, leave_out_what_comes_by_itself) {
  for (const installed_package &harmless :
       {package("nvidia-fabricmanager-535", "535.183.06-1"),
        package("libnvidia-compute-535", "535.183.06-0ubuntu1", package_state::config_files),
        package("libnvidia-decode-535", "535.183.06-0ubuntu0.22.04.2")}) // a rebuild of the same people
    EXPECT_EQ(
        judged("mixed_sources", node_with({package("libnvidia-compute-535", "535.183.06-0ubuntu0.22.04.1"), harmless})),
        words{})
        << harmless.name;
}

TEST(mixed_sources, of_the_installer_beside_packages) {
  node_evidence node = healthy_node();
  node.installer.uninstaller = fact<std::string>::known("/usr/bin/nvidia-uninstall", "/usr/bin/nvidia-uninstall");
  EXPECT_EQ(judged("mixed_sources", node), two_ways);
  node.packages = packages_are({package("nvidia-fabricmanager-550", "550.54.15-1"), package("bash", "5.1")});
  EXPECT_EQ(judged("mixed_sources", node), words{});
}

TEST(mixed_sources, of_an_old_log_alone_are_none) {
  node_evidence node = healthy_node();
  node.installer.log = fact<installer_log>::known({release("470.82.01"), true}, "/var/log/nvidia-installer.log");
  EXPECT_EQ(judged("mixed_sources", node), words{});
  node.modules.nvidia = module_in_proc("470.82.01");
  EXPECT_EQ(judged("mixed_sources", node), two_ways);
  node.installer.log.value->is_complete = false;
  EXPECT_EQ(judged("mixed_sources", node), words{});
}

node_evidence node_that_saw_nouveau() {
  node_evidence node = healthy_node();
  node.modules.names = loaded_are({"nvidia", "nvidia_uvm", "nouveau"});
  node.nouveau_is_blacklisted = fact<bool>::known(false, "/etc/modprobe.d");
  return node;
}

TEST(nouveau_blacklist, is_missed_where_nouveau_was_seen) {
  EXPECT_EQ(judged("nouveau_blacklist", node_that_saw_nouveau()), words{"driver.nouveau-not-blacklisted"});
  node_evidence node = node_that_saw_nouveau();
  node.modules.names = loaded_are({"nvidia"});
  EXPECT_EQ(judged("nouveau_blacklist", node), words{});
  node.log.value->statements.push_back({kernel_topic::nouveau, {}, {}, "", "nouveau 0000:01:00.0: NVIDIA GA100", 1});
  EXPECT_EQ(judged("nouveau_blacklist", node), words{"driver.nouveau-not-blacklisted"});
}

TEST(nouveau_blacklist, is_there_or_not_known) {
  node_evidence node = node_that_saw_nouveau();
  node.nouveau_is_blacklisted = fact<bool>::known(true, "/etc/modprobe.d/x.conf");
  EXPECT_EQ(judged("nouveau_blacklist", node), words{});
  node.nouveau_is_blacklisted = nobody_knows<bool>();
  EXPECT_EQ(judged("nouveau_blacklist", node), words{});
}

/// DKMS knows the driver, and has nothing for the running kernel.
node_evidence node_without_build() {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.names = loaded_are({"ext4"});
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  node.on_disk.dkms = fact<dkms_status>::known(parse_dkms_status("nvidia/550.54.15: added\n"), "dkms status");
  node.on_disk.kernels_with_headers = fact<std::vector<std::string>>::known({"6.5.0"}, "/lib/modules");
  return node;
}

TEST(dkms, without_headers_builds_nothing) {
  EXPECT_EQ(judged("dkms", node_without_build()), words{"driver.kernel-headers-missing"});
  node_evidence node = node_without_build();
  node.on_disk.kernels_with_headers.value->push_back("6.8.0");
  EXPECT_EQ(judged("dkms", node), words{});
}

TEST(dkms, knows_of_headers_by_packages_too) {
  node_evidence node = node_without_build();
  node.on_disk.kernels_with_headers = nobody_knows<std::vector<std::string>>();
  EXPECT_EQ(judged("dkms", node), words{});
  node.packages.value->push_back(package("linux-image-6.8.0", "6.8.0-1"));
  EXPECT_EQ(judged("dkms", node), words{"driver.kernel-headers-missing"});
  node.packages.value->push_back(package("linux-headers-6.8.0", "6.8.0-1"));
  EXPECT_EQ(judged("dkms", node), words{});
}

TEST(dkms, needs_no_headers_for_what_is_built_or_loaded) {
  node_evidence node = node_without_build();
  node.on_disk.dkms = fact<dkms_status>::known(parse_dkms_status("nvidia/550.54.15, 6.8.0, x86_64: installed\n"), "x");
  EXPECT_EQ(judged("dkms", node), words{});
  node = node_without_build();
  node.modules = healthy_node().modules;
  EXPECT_EQ(judged("dkms", node), words{});
}

} // namespace
} // namespace gpucert
