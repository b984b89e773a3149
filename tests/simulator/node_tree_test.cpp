// SPDX-License-Identifier: Apache-2.0
// The simulated node's files, judged by gpucert, and its NVML, asked by gpucert-nvml.
#include "node/nvml_record.h"
#include "simulator/node/node_tree.h"
#include "tests/simulator/probe_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace gpucert {
namespace {

nlohmann::json judge(const std::string &what) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("gpucert_node_" + std::to_string(std::hash<std::string>{}(what)));
  std::filesystem::remove_all(folder);
  simulator::write_simulated_node(folder, simulator::parse_simulation(GPUCERT_PROFILES, what));
  command check;
  check.arguments = {GPUCERT_PROGRAM, "check", "--root", folder.string(), "--format", "json"};
  const command_result result = run_command(check);
  std::filesystem::remove_all(folder);
  return nlohmann::json::parse(result.output, nullptr, false);
}

class healthy_node_test : public testing::TestWithParam<const char *> {};

TEST_P(healthy_node_test, passes) {
  const nlohmann::json report = judge(GetParam());
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["exit_code"], 0) << report.dump(1);
  EXPECT_EQ(report["findings"].size(), 0U) << report["findings"].dump(1);
}

INSTANTIATE_TEST_SUITE_P(profiles, healthy_node_test, testing::Values("h200", "a100", "t4", "h200x8"));

struct faulty_node {
  const char *name;
  const char *what;
  const char *root_cause;
};
class faulty_node_test : public testing::TestWithParam<faulty_node> {};

TEST_P(faulty_node_test, has_its_root_cause) {
  const nlohmann::json report = judge(GetParam().what);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["exit_code"], 2) << report.dump(1);
  EXPECT_EQ(report["diagnosis"]["root_cause"], GetParam().root_cause) << report.dump(1);
}

INSTANTIATE_TEST_SUITE_P(faults, faulty_node_test,
                         testing::Values(faulty_node{"module_older", "h200,module-older",
                                                     "driver.module-older-than-userspace"},
                                         faulty_node{"no_module", "h200,no-module", "driver.module-not-loaded"},
                                         faulty_node{"missing_gpu", "h200x8,missing-gpu", "hw.gpu-missing"}),
                         [](const auto &each) { return each.param.name; });

nvml_record ask_nvml(const std::vector<std::string> &variables) {
  const command_result result = run_command(simulated({GPUCERT_NVML_PROGRAM}, variables));
  auto parsed = parse_nvml_record(result.output);
  EXPECT_TRUE(parsed.record) << parsed.error << result.errors;
  return parsed.record ? *std::move(parsed.record) : parse_nvml_record("{}").record.value();
}

TEST(simulated_nvml, answers_gpucert_nvml) {
  const nvml_record record = ask_nvml({"GPUCERT_SIMULATOR_DEVICES=2"});
  EXPECT_EQ(record.init_return, 0);
  EXPECT_EQ(record.driver_version, "580.95.05");
  EXPECT_EQ(record.cuda_driver_version, 13000);
  ASSERT_EQ(record.devices.size(), 2U);
  EXPECT_EQ(record.devices[1].name, "NVIDIA H200");
  EXPECT_EQ(record.devices[1].bus_id, "00000000:1C:00.0");
  EXPECT_EQ(record.devices[0].functions.value("nvmlDeviceGetCurrPcieLinkWidth"), 16);
  EXPECT_EQ(record.devices[0].functions.value("nvmlDeviceGetTemperature", {{"sensorType", 0}}), 34);
  EXPECT_EQ(record.devices[0].functions.values("nvmlDeviceGetEccMode", "current"), 1);
  EXPECT_EQ(record.devices[0].field("NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"), 0);
}

TEST(simulated_nvml, states_every_recorded_answer) {
  const simulator::simulation what = simulator::parse_simulation(GPUCERT_PROFILES, "h200");
  const command_result result = run_command(simulated({GPUCERT_NVML_PROGRAM}));
  const auto printed = nlohmann::json::parse(result.output);
  const auto &functions = printed.at("devices").at(0).at("functions");
  for (const auto &[name, recorded] : what.gpu.source.at("nvml").at("device_functions").items()) {
    ASSERT_TRUE(functions.contains(name)) << name;
    for (const char *key : {"value", "values"})
      EXPECT_EQ(functions.at(name).value(key, nlohmann::json()), recorded.value(key, nlohmann::json())) << name;
  }
}

struct nvml_fault {
  const char *name;
  const char *fault;
  int init_return;
};
class nvml_fault_test : public testing::TestWithParam<nvml_fault> {};
TEST_P(nvml_fault_test, is_what_init_returns) {
  EXPECT_EQ(ask_nvml({std::string("GPUCERT_SIMULATOR_FAULTS=") + GetParam().fault}).init_return,
            GetParam().init_return);
}
INSTANTIATE_TEST_SUITE_P(faults, nvml_fault_test,
                         testing::Values(nvml_fault{"module_older", "module-older", 18},
                                         nvml_fault{"no_module", "no-module", 9}),
                         [](const auto &each) { return each.param.name; });

TEST(simulated_nvml, counts_ecc_errors_and_heat) {
  const nvml_record record = ask_nvml({"GPUCERT_SIMULATOR_FAULTS=ecc-uncorrected,thermal-throttle"});
  ASSERT_EQ(record.devices.size(), 1U);
  const nvml_answers &functions = record.devices[0].functions;
  EXPECT_EQ(functions.value("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}, {"counterType", 0}}), 1);
  EXPECT_EQ(functions.value("nvmlDeviceGetCurrentClocksEventReasons"), 0x60);
  EXPECT_GT(functions.value("nvmlDeviceGetTemperature", {{"sensorType", 0}}), 90);
}

} // namespace
} // namespace gpucert
