// SPDX-License-Identifier: Apache-2.0
// Runs gpucert-nvml on libraries of known answers and reads what it prints as gpucert does.
#include "node/nvml_record.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char **environ;

namespace gpucert {
namespace {

struct outcome {
  int exit_code = -1; // -1 where it did not exit by itself
  std::string out;
};

outcome run_gpucert_nvml(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), GPUCERT_NVML_PROGRAM);
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);

  int ends[2];
  if (pipe(ends) != 0)
    return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int spawned = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);

  outcome result;
  char buffer[4096];
  for (ssize_t got = 0; spawned == 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.out.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (spawned == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    result.exit_code = WEXITSTATUS(status);
  return result;
}

struct read_back {
  nvml_record record;
  std::string text;
};

std::optional<read_back> read_library(const std::string &path) {
  outcome ran = run_gpucert_nvml({"--library", path});
  EXPECT_EQ(ran.exit_code, 0);
  auto parsed = parse_nvml_record(ran.out);
  EXPECT_TRUE(parsed.record) << parsed.error << '\n' << ran.out;
  if (!parsed.record)
    return std::nullopt;
  return read_back{*std::move(parsed.record), std::move(ran.out)};
}

TEST(gpucert_nvml, healthy_library_answers_for_system_and_devices) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->record.init_return, 0);
  EXPECT_EQ(node->record.driver_version, "580.95.05");
  EXPECT_EQ(node->record.nvml_version_text, "13.580.95.05");
  EXPECT_EQ(node->record.cuda_driver_version, 13000);
  EXPECT_EQ(node->record.device_count, 2);
  EXPECT_EQ(node->record.library_path, GPUCERT_FAKE_HEALTHY);
  ASSERT_EQ(node->record.devices.size(), 2U);
  EXPECT_EQ(node->record.devices[0].bus_id, "00000000:3B:00.0");
  EXPECT_EQ(node->record.devices[1].bus_id, "00000000:3C:00.0");
  EXPECT_EQ(node->record.devices[0].name, "NVIDIA H200");
  EXPECT_EQ(node->record.devices[1].name, "Tesla T4 \xef\xbf\xbd") << "a byte that is no UTF-8 gives way";
}

TEST(gpucert_nvml, each_form_of_function_gives_its_answer) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->record.devices.size(), 2U);
  const nvml_answers &first = node->record.devices[0].functions;
  EXPECT_EQ(first.value("nvmlDeviceGetCurrPcieLinkWidth"), 16);
  EXPECT_EQ(first.values("nvmlDeviceGetCudaComputeCapability", "major"), 9);
  EXPECT_EQ(first.values("nvmlDeviceGetCudaComputeCapability", "minor"), 0);
  EXPECT_EQ(first.values("nvmlDeviceGetMemoryInfo_v2", "total"), 150754820096);
  EXPECT_EQ(first.values("nvmlDeviceGetRemappedRows", "uncRows"), 4);
  EXPECT_EQ(first.values("nvmlDeviceGetRemappedRows", "isPending"), 1);
  EXPECT_EQ(first.value("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}, {"counterType", 0}}), 10);
  EXPECT_EQ(first.value("nvmlDeviceGetTotalEccErrors", {{"counterType", 1}, {"errorType", 0}}), 1);
  EXPECT_EQ(first.value("nvmlDeviceGetNvLinkState", {{"link", 16}}), 1);
  EXPECT_EQ(first.value("nvmlDeviceGetNvLinkState", {{"link", 17}}), 0);
  EXPECT_EQ(first.value("nvmlDeviceGetComputeRunningProcesses_v3"), 100);
  EXPECT_NE(node->text.find("4099"), std::string::npos) << "the id of the last process";
}

TEST(gpucert_nvml, refusals_are_answers) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->record.devices.size(), 2U);
  const nvml_answers &second = node->record.devices[1].functions;
  EXPECT_EQ(second.ret("nvmlDeviceValidateInforom"), 14);
  EXPECT_EQ(second.ret("nvmlDeviceGetRemappedRows"), 3);
  EXPECT_FALSE(second.values("nvmlDeviceGetRemappedRows", "isPending"));
  EXPECT_EQ(second.ret("nvmlDeviceGetNvLinkState", {{"link", 0}}), 3);
  EXPECT_EQ(second.ret("nvmlDeviceGetPersistenceMode"), 13) << "the library has no such function";
}

TEST(gpucert_nvml, fields_have_names_types_and_codes) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->record.devices.size(), 2U);
  EXPECT_EQ(node->record.devices[0].field("NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"), 0);
  EXPECT_EQ(node->record.devices[1].field("NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"), 2);
  EXPECT_EQ(node->record.devices[0].field("NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT"), -8);
  EXPECT_EQ(node->record.devices[0].fields.ret("NVML_FI_DEV_RESET_STATUS"), 2);
  EXPECT_EQ(node->record.devices[0].fields.ret("NVML_FI_DEV_MEMORY_TEMP"), 3);
}

TEST(gpucert_nvml, fabric_is_asked_again_with_the_structure_that_the_library_knows) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->record.devices.size(), 2U);
  const nvml_answers &first = node->record.devices[0].functions;
  EXPECT_EQ(first.values("nvmlDeviceGetGpuFabricInfoV", "state"), 3);
  EXPECT_EQ(first.values("nvmlDeviceGetGpuFabricInfoV", "cliqueId"), 7);
  EXPECT_EQ(first.values("nvmlDeviceGetGpuFabricInfoV", "healthMask"), 0x155);
  EXPECT_FALSE(first.values("nvmlDeviceGetGpuFabricInfoV", "healthSummary")) << "v2 has none";
}

TEST(gpucert_nvml, prints_no_personal_data) {
  const auto node = read_library(GPUCERT_FAKE_HEALTHY);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->record.devices.size(), 2U);
  EXPECT_EQ(node->record.devices[1].functions.text("nvmlDeviceGetUUID"), "GPU-1");
  EXPECT_EQ(node->text.find("8f9c1c3e"), std::string::npos) << "part of the UUID";
  EXPECT_EQ(node->text.find("1650924012345"), std::string::npos) << "the serial number";
}

TEST(gpucert_nvml, mismatch_is_recorded_with_the_version_of_the_library) {
  const auto node = read_library(GPUCERT_FAKE_MISMATCH);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->record.init_return, 18);
  ASSERT_TRUE(node->record.library_version);
  EXPECT_EQ(node->record.library_version->text(), "550.54.15");
  EXPECT_FALSE(node->record.driver_version);
  EXPECT_FALSE(node->record.device_count);
  EXPECT_TRUE(node->record.devices.empty());
}

TEST(gpucert_nvml, module_not_loaded_is_recorded) {
  const auto node = read_library(GPUCERT_FAKE_NOT_LOADED);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->record.init_return, 9);
  EXPECT_TRUE(node->record.devices.empty());
}

TEST(gpucert_nvml, old_library_answers_under_its_own_names) {
  const auto node = read_library(GPUCERT_FAKE_OLD);
  ASSERT_TRUE(node);
  EXPECT_NE(node->text.find("\"nvmlInit\""), std::string::npos);
  EXPECT_EQ(node->text.find("_v2"), std::string::npos);
  EXPECT_EQ(node->record.init_return, 0);
  EXPECT_EQ(node->record.device_count, 1);
  EXPECT_EQ(node->record.cuda_driver_version, 10010);
  ASSERT_EQ(node->record.devices.size(), 1U);
  EXPECT_EQ(node->record.devices[0].bus_id, "0000:3B:00.0") << "from the short id, all that it fills in";
  EXPECT_EQ(node->record.devices[0].functions.value("nvmlDeviceGetCurrentClocksEventReasons"), 4);
}

TEST(gpucert_nvml, missing_library_is_a_value) {
  const auto node = read_library("/nonexistent/libnvidia-ml.so.1");
  ASSERT_TRUE(node);
  EXPECT_EQ(node->record.init_return, 12);
  EXPECT_FALSE(node->record.library_path);
  EXPECT_TRUE(node->record.devices.empty());
}

TEST(gpucert_nvml, library_without_any_function_is_a_value) {
  const auto node = read_library(GPUCERT_FAKE_EMPTY);
  ASSERT_TRUE(node);
  EXPECT_FALSE(node->record.init_return);
  EXPECT_EQ(node->record.functions.ret("nvmlInit_v2"), 13);
  EXPECT_EQ(node->record.library_path, GPUCERT_FAKE_EMPTY);
}

TEST(gpucert_nvml, exit_codes_tell_usage_from_answers) {
  EXPECT_EQ(run_gpucert_nvml({"--help"}).exit_code, 0);
  EXPECT_EQ(run_gpucert_nvml({"--no-such-option"}).exit_code, 64);
  EXPECT_EQ(run_gpucert_nvml({"--library"}).exit_code, 64);
  EXPECT_EQ(run_gpucert_nvml({"stray"}).exit_code, 64);
}

} // namespace
} // namespace gpucert
