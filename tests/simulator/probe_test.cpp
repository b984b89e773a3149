// SPDX-License-Identifier: Apache-2.0
// The engine and the faults as a program sees them that nvcc built.
#include "tests/simulator/probe_run.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace gpucert {
namespace {

struct probe_case {
  const char *name;
  const char *action;
  const char *variable; // of the environment; empty: none
  const char *printed;
  const char *complaint; // part of standard error; empty: nothing is complained of
};
class probe_test : public testing::TestWithParam<probe_case> {};

TEST_P(probe_test, prints) {
  const probe_case &expected = GetParam();
  std::vector<std::string> variables;
  if (*expected.variable != '\0')
    variables.emplace_back(expected.variable);
  const command_result result = run_probe(expected.action, variables);
  EXPECT_EQ(result.output, std::string(expected.printed) + "\n") << result.how_it_ended();
  if (*expected.complaint == '\0')
    EXPECT_EQ(result.errors, "");
  else
    EXPECT_NE(result.errors.find(expected.complaint), std::string::npos) << result.errors;
}

constexpr const char *name_of_case(const probe_case &each) { return each.name; }

INSTANTIATE_TEST_SUITE_P(
    engine, probe_test,
    testing::Values(
        probe_case{"barriers", "reverse_sum", "", "right", ""}, probe_case{"shuffles", "warp_sum", "", "right", ""},
        probe_case{"barriers_in_random_order", "reverse_sum", "GPUCERT_SIMULATOR_ORDER=unfair:7", "right", ""},
        probe_case{"shuffles_in_random_order", "warp_sum", "GPUCERT_SIMULATOR_ORDER=fair:7", "right", ""},
        probe_case{"arrows", "arrows", "", "right", ""},
        probe_case{"divergent_barrier", "divergent", "", "cudaErrorLaunchFailure", "reached by 32 of 64 threads"},
        probe_case{"deadlock", "deadlock", "", "cudaErrorLaunchFailure", "deadlock"},
        probe_case{"host_pointer", "host_pointer", "", "cudaErrorIllegalAddress", "is not device memory"}),
    [](const auto &each) { return name_of_case(each.param); });

INSTANTIATE_TEST_SUITE_P(
    faults, probe_test,
    testing::Values(
        probe_case{"healthy", "versions", "", "runtime of the build, driver 13000", ""},
        probe_case{"module_older", "context", "GPUCERT_SIMULATOR_FAULTS=module-older", "cudaErrorSystemDriverMismatch",
                   ""},
        probe_case{"no_module", "context", "GPUCERT_SIMULATOR_FAULTS=no-module", "cudaErrorNoDevice", ""},
        probe_case{"driver_too_old", "context", "GPUCERT_SIMULATOR_FAULTS=driver-too-old",
                   "cudaErrorInsufficientDriver", ""},
        probe_case{"driver_too_old_states_its_version", "versions", "GPUCERT_SIMULATOR_FAULTS=driver-too-old",
                   "runtime of the build, driver 12020", ""},
        probe_case{"copy_bit_flip", "copy", "GPUCERT_SIMULATOR_FAULTS=copy-bit-flip", "wrong", ""},
        probe_case{"later_copy_bit_flip", "copy", "GPUCERT_SIMULATOR_FAULTS=copy-bit-flip:2", "right", ""},
        probe_case{"malloc_fail", "copy", "GPUCERT_SIMULATOR_FAULTS=malloc-fail:1", "cudaErrorMemoryAllocation", ""},
        probe_case{"launch_error", "warp_sum", "GPUCERT_SIMULATOR_FAULTS=launch-error:1:719", "cudaErrorLaunchFailure",
                   ""},
        probe_case{"system_not_ready", "wait_for_system", "GPUCERT_SIMULATOR_FAULTS=system-not-ready:3",
                   "ready after 3 tries", ""},
        probe_case{"missing_gpu", "devices", "GPUCERT_SIMULATOR_FAULTS=missing-gpu", "cudaErrorNoDevice", ""}),
    [](const auto &each) { return name_of_case(each.param); });

TEST(probe, missing_barrier_is_not_found_in_ascending_order) { EXPECT_EQ(run_probe("race").output, "right\n"); }

TEST(probe, missing_barrier_is_found_by_20_of_20_unfair_orders) {
  for (int seed = 1; seed <= 20; ++seed)
    EXPECT_EQ(run_probe("race", {"GPUCERT_SIMULATOR_ORDER=unfair:" + std::to_string(seed)}).output, "wrong\n") << seed;
}

TEST(probe, uses_eight_devices) {
  const std::string printed = run_probe("devices", {"GPUCERT_SIMULATOR_DEVICES=8"}).output;
  EXPECT_EQ(printed.substr(0, 16), "8: NVIDIA H200, ");
}

TEST(probe, sees_only_visible_devices) {
  EXPECT_EQ(run_probe("devices", {"GPUCERT_SIMULATOR_DEVICES=8", "CUDA_VISIBLE_DEVICES=5"}).output, "1: NVIDIA H200\n");
}

TEST(probe, crashes_in_the_launch_that_was_asked_for) {
  const command_result result = run_probe("warp_sum", {"GPUCERT_SIMULATOR_FAULTS=crash:1"});
  EXPECT_EQ(result.end, command_end::signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(probe, hangs_until_it_is_killed) {
  for (const char *fault : {"hang:1", "context-hang"}) {
    command hanging = probe("warp_sum", {std::string("GPUCERT_SIMULATOR_FAULTS=") + fault});
    hanging.deadline = std::chrono::milliseconds(500);
    EXPECT_EQ(run_command(hanging).end, command_end::timed_out) << fault;
  }
}

TEST(probe, tries_are_counted_across_processes) {
  const std::filesystem::path state = std::filesystem::path(testing::TempDir()) / "gpucert_tries";
  std::filesystem::remove_all(state);
  std::filesystem::create_directories(state);
  const std::vector<std::string> variables{"GPUCERT_SIMULATOR_FAULTS=system-not-ready:2",
                                           "GPUCERT_SIMULATOR_STATE=" + state.string()};
  EXPECT_EQ(run_probe("context", variables).output, "cudaErrorSystemNotReady\n");
  EXPECT_EQ(run_probe("context", variables).output, "cudaErrorSystemNotReady\n");
  EXPECT_EQ(run_probe("context", variables).output, "context\n");
}

TEST(probe, wrong_simulation_is_one_line_and_an_abort) {
  for (const char *variable : {"GPUCERT_SIMULATOR_FAULTS=nonsense", "GPUCERT_SIMULATOR_PROFILE=/nowhere/h201.json",
                               "GPUCERT_SIMULATOR_DEVICES=many"}) {
    const command_result result = run_probe("context", {variable});
    EXPECT_EQ(result.signal, SIGABRT) << variable;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
}

TEST(probe, address_sanitizer_sees_a_write_behind_an_allocation) {
  const command_result result = run_probe("beyond_end");
#ifdef GPUCERT_WITH_ADDRESS_SANITIZER
  EXPECT_NE(result.errors.find("AddressSanitizer"), std::string::npos) << result.output;
#else
  EXPECT_EQ(result.output, "ended\n"); // as on a GPU, it is not seen
#endif
}

} // namespace
} // namespace gpucert
