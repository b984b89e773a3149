// SPDX-License-Identifier: Apache-2.0
// NVIDIA's real libraries, as Debian packs them, on a machine without a GPU. scripts/fetch_fixtures fetches them.
#include "node/nvml_record.h"
#include "tests/certify/running.h"

namespace gpucert {
namespace {

namespace fs = std::filesystem;

const fs::path driver = GPUCERT_SOURCE_DIR "/build/fixtures/debian_driver";
const fs::path library_folder = "usr/lib/x86_64-linux-gnu/nvidia/current";

/// The release in the name of the real library, libcuda.so.RELEASE.
std::string release_of_libraries() {
  for (const auto &entry : fs::directory_iterator(driver / library_folder))
    if (const std::string name = entry.path().filename(); name.starts_with("libcuda.so.") && name != "libcuda.so.1")
      return name.substr(std::string_view("libcuda.so.").size());
  return {};
}

TEST(real_driver, without_a_gpu_is_found) {
  if (!fs::exists(driver))
    GTEST_SKIP() << "no " << driver << ": run scripts/fetch_fixtures";
  const test_folder folder;
  const fs::path tree = folder / "tree";
  fs::copy(driver, tree, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (const char *empty : {"sys/bus/pci/devices", "dev"})
    fs::create_directories(tree / empty);
  write_text(tree / "proc/modules", "");
  write_text(tree / "var/lib/dpkg/status", "");
  const command_result ran = run_gpucert({"check", "--tree", tree, "--format", "json"});
  EXPECT_EQ(ran.exit_code, 2);
  const json stack = stack_of(ran);
  ASSERT_TRUE(stack.is_object());
  EXPECT_EQ(stack["diagnosis"]["root_cause"], "hw.no-gpu");
  EXPECT_EQ(stack["versions"]["libcuda_version"], release_of_libraries());
  EXPECT_EQ(stack["versions"]["nvml_version"], release_of_libraries());
  EXPECT_TRUE(stack["versions"]["kernel_module_version"].is_null());
}

TEST(real_driver, nvml_says_that_no_driver_is_loaded) {
  if (!fs::exists(driver))
    GTEST_SKIP() << "no " << driver << ": run scripts/fetch_fixtures";
  if (fs::exists("/proc/driver/nvidia/version"))
    GTEST_SKIP() << "a driver is loaded here";
  const command_result ran = run({GPUCERT_NVML_PROGRAM, "--library", driver / library_folder / "libnvidia-ml.so.1"});
  EXPECT_EQ(ran.exit_code, 0);
  const nvml_parse_result parsed = parse_nvml_record(ran.output);
  ASSERT_TRUE(parsed.record) << parsed.error;
  constexpr int driver_not_loaded = 9; // NVML_ERROR_DRIVER_NOT_LOADED
  EXPECT_EQ(parsed.record->init_return, driver_not_loaded);
}

} // namespace
} // namespace gpucert
