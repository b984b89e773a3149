// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/node_by_hand.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

driver_library libcuda_at(std::string path) { return {"libcuda.so.1", path, path, {}, false}; }

fact<std::vector<driver_library>> loader_finds(std::vector<driver_library> list) {
  return fact<std::vector<driver_library>>::known(std::move(list), "ldconfig -p");
}

words judged(const node_evidence &node) {
  const judgement result = judge("platform_driver", node);
  for (const finding &found : result.findings())
    EXPECT_TRUE(is_complete(found)) << found.id();
  return in_words(result);
}

node_evidence healthy_wsl2() {
  node_evidence node = node_without_gpu();
  node.platform.is_wsl2 = true;
  node.device_files = files_are({"/dev/dxg"});
  node.libraries = loader_finds({libcuda_at("/usr/lib/wsl/lib/libcuda.so.1")});
  return node;
}

node_evidence healthy_jetson() {
  node_evidence node = node_without_gpu();
  node.platform.is_jetson = true;
  node.platform.jetson_linux = fact<driver_release>::known(release("35.3.1"), "/etc/nv_tegra_release");
  node.modules.nvidia = module_in_proc("35.3.1");
  node.modules.names = loaded_are({"nvidia", "nvgpu"});
  node.libraries = loader_finds({libcuda_at("/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1")});
  return node;
}

TEST(platform_driver, is_silent_where_all_is_well) {
  EXPECT_EQ(judged(healthy_node()), words{});
  EXPECT_EQ(judged(healthy_wsl2()), words{});
  EXPECT_EQ(judged(healthy_jetson()), words{});
  node_evidence newer = healthy_jetson(); // numbered like a desktop driver
  newer.platform.jetson_linux.value = release("36.4.3");
  newer.modules.nvidia = module_in_proc("540.4.0");
  newer.libraries = loader_finds({libcuda_at("/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1")});
  EXPECT_EQ(judged(newer), words{});
}

TEST(platform_driver, a_libcuda_of_linux_before_that_of_windows) {
  node_evidence node = healthy_wsl2();
  node.libraries.value->insert(node.libraries.value->begin(), library("libcuda.so.1", "550.54.15"));
  EXPECT_EQ(judged(node), words{"platform.wsl2-linux-driver"});
  node.libraries = loader_finds(
      {library("libcuda.so.1", "550.54.15", "/usr/local/cuda/compat"), libcuda_at("/usr/lib/wsl/lib/libcuda.so.1")});
  EXPECT_EQ(judged(node), words{}) << "a compatibility copy is another one on purpose";
}

TEST(platform_driver, a_driver_package_beside_that_of_the_platform_leaves_it_open) {
  node_evidence node = healthy_wsl2();
  node.packages = packages_are({package("libnvidia-compute-550", "550.54.15-0ubuntu1")});
  EXPECT_EQ(judged(node), words{"? the libcuda that each program loads"});
}

TEST(platform_driver, a_desktop_driver_on_jetson) {
  node_evidence node = healthy_jetson();
  node.libraries.value->insert(node.libraries.value->begin(),
                               library("libcuda.so.1", "535.309.01", "/usr/lib/aarch64-linux-gnu"));
  EXPECT_EQ(judged(node), words{"userspace.multiple-library-copies"});
}

TEST(platform_driver, numbers_of_jetson_linux) {
  node_evidence node = healthy_jetson();
  node.modules.nvidia = module_in_proc("35.1.0");
  EXPECT_EQ(judged(node), words{"driver.module-older-than-userspace"});
  node.modules.nvidia = module_in_proc("35.4.1");
  EXPECT_EQ(judged(node), words{"driver.module-newer-than-userspace"});
}

TEST(platform_driver, what_nobody_knows) {
  node_evidence node = healthy_wsl2();
  node.libraries = nobody_knows<std::vector<driver_library>>();
  node.device_files = nobody_knows<std::vector<device_file>>();
  EXPECT_EQ(judged(node), (words{"? the libcuda that programs load", "? /dev/dxg"}));
  node = healthy_wsl2();
  node.device_files.value->clear();
  EXPECT_EQ(judged(node), words{"platform.wsl2-gpu-not-exposed"});
  node = healthy_jetson();
  node.platform.jetson_linux = nobody_knows<driver_release>();
  node.modules.names = loaded_are({"ext4"});
  EXPECT_EQ(judged(node), (words{"? the release of Jetson Linux", "? whether the GPU has a module"}));
}

} // namespace
} // namespace gpucert
