// SPDX-License-Identifier: Apache-2.0
// The shipped programs on the simulated node: healthy profiles pass, each fault is found and rightly named, and
// everything else still runs.
#include "tests/certify/running.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#ifdef GPUCERT_HAS_SIMULATOR

namespace gpucert {
namespace {

struct simulated_case {
  std::string name; // of the test case
  std::string what; // of --simulate
  int code;
  std::string root_cause;              // empty: no failure
  std::string deadline_seconds = "60"; // short where the fault is a hang
};

#ifdef GPUCERT_SANITIZED
constexpr const char *many_gpus = "h200x2"; // a minute of the sanitizers for eight
#else
constexpr const char *many_gpus = "h200x8";
#endif

class simulated_node : public testing::TestWithParam<simulated_case> {};

TEST_P(simulated_node, is_judged_rightly) {
  const test_folder folder;
  const auto output = folder / "run";
  const command_result ran =
      run_gpucert({"accept", "--simulate", GetParam().what, "--level", "quick", "--case-deadline",
                   GetParam().deadline_seconds, "--output", output.string(), "--format", "json"});
  ASSERT_EQ(ran.exit_code, GetParam().code) << ran.output << ran.errors;
  const json report = json::parse(ran.output);
  const json &root = report.at("stack").at("diagnosis").at("root_cause");
  EXPECT_EQ(root.is_null() ? "" : root.get<std::string>(), GetParam().root_cause);
  EXPECT_NE(report.at("verdicts").at("certifiable").at("word"), "PASS") << "a simulated quick run is never certified";
}

INSTANTIATE_TEST_SUITE_P(
    profiles_and_faults, simulated_node,
    testing::Values(simulated_case{"h200", "h200", 0, ""}, simulated_case{"a100", "a100", 0, ""},
                    simulated_case{"t4", "t4", 0, ""}, simulated_case{"many", many_gpus, 0, ""},
                    simulated_case{"module_older", "h200,module-older", 2, "driver.module-older-than-userspace"},
                    simulated_case{"no_module", "h200,no-module", 2, "driver.module-not-loaded"},
                    simulated_case{"context_hang", "h200,context-hang", 2, "cuda.context-hang", "3"},
                    simulated_case{"wrong_gemm", "h200,wrong-gemm-element", 2, "cuda.wrong-result"},
                    simulated_case{"copy_flip", "h200,copy-bit-flip", 2, "cuda.wrong-result"},
                    simulated_case{"crash", "h200,crash:conformance.stream.triad_f32", 2, "cuda.test-crashed"},
                    simulated_case{"hang", "h200,hang", 2, "cuda.test-hung", "3"},
                    simulated_case{"slow_memory", "h200,slow-memory", 2, "performance.below-tripwire"},
                    simulated_case{"xid_79", "h200,xid:79", 2, "hw.fell-off-bus"},
                    simulated_case{"xid_119", "h200,xid:119", 2, "gsp.rpc-timeout"},
                    simulated_case{"ecc", "h200,ecc-uncorrected", 2, "hw.ecc-uncorrected"},
                    simulated_case{"throttled", "h200,thermal-throttle", 2, "hw.throttled"},
                    simulated_case{"driver_too_old", "h200,driver-too-old", 3, "userspace.driver-too-old-for-runtime"},
                    simulated_case{"system_not_ready", "h200,system-not-ready:99", 2, "fabric.manager-not-running"}),
    [](const auto &one) { return one.param.name; });

TEST(simulated_run, goes_on_after_a_crash_in_a_test) {
  const test_folder folder;
  const command_result ran = run_gpucert({"accept", "--simulate", "h200,crash:conformance.stream.triad_f32", "--level",
                                          "quick", "--output", (folder / "run").string(), "--format", "json"});
  const json report = json::parse(ran.output);
  const json &programs = report.at("acceptance").at("gpus").at(0).at("programs");
  ASSERT_EQ(programs.size(), 3U);
  for (const json &program : programs)
    EXPECT_EQ(program.at("cases").size(), program.at("expected").size()) << program.at("program");
  EXPECT_EQ(programs.at(1).at("processes").size(), 2U) << "one more process after the crash";
}

TEST(simulated_run, is_refused_for_an_unknown_profile_or_fault) {
  const test_folder folder;
  for (const char *what : {"h300", "h200,no-such-fault", "h200x0", ""}) {
    const command_result ran = run_gpucert({"accept", "--simulate", what, "--output", (folder / "run").string()});
    if (*what != '\0') {
      EXPECT_EQ(ran.exit_code, 64) << what << ": " << ran.errors;
    }
  }
}

TEST(simulated_run, that_is_not_ready_says_why_in_a_few_lines) {
  const command_result ran = run_gpucert({"ready", "--simulate", "h200,module-older"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_LE(std::count(ran.output.begin(), ran.output.end(), '\n'), 8) << ran.output;
  for (const char *text : {"FAIL (SIMULATED): 0 of 1 GPU(s) ready", "GPU 0: ready.", "(803, ",
                           "Cause: driver.module-older-than-userspace", "What to do: "})
    EXPECT_NE(ran.output.find(text), std::string::npos) << text << "\n" << ran.output;
}

TEST(simulated_run, with_too_few_gpus_says_so) {
  const command_result ran = run_gpucert({"ready", "--simulate", "h200", "--expect-gpus", "2"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.output.find("1 of 1 GPU(s) ready\n  1 GPUs were tested, 2 are expected"), std::string::npos)
      << ran.output;
}

TEST(simulated_run, refuses_to_overwrite_a_report) {
  const test_folder folder;
  const std::vector<std::string> words{
      "accept", "--simulate", "t4", "--level", "quick", "--output", (folder / "run").string()};
  ASSERT_EQ(run_gpucert(words).exit_code, 0);
  EXPECT_EQ(run_gpucert(words).exit_code, 64);
}

TEST(simulated_run, that_is_killed_leaves_a_valid_report_and_no_child) {
  int reports = 0;
  for (int round = 0; round < 20; ++round) {
    const test_folder folder;
    const int milliseconds = 30 + round * 23; // over the whole of a run
    run_script("\"$1\" accept --simulate h200x2 --level quick --output \"$2\" >/dev/null 2>&1 & p=$!; sleep 0.$3; "
               "kill -9 $p; wait $p",
               {program, (folder / "run").string(), fmt::format("{:03}", milliseconds)});
    if (!std::filesystem::exists(folder / "run" / "report.json"))
      continue; // killed before there was anything to report
    ++reports;
    const std::string text = read_text(folder / "run" / "report.json");
    const json report = json::parse(text, nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << milliseconds << " ms: " << text;
    const std::string word = report.at("verdicts").at("return_to_service").at("word");
    const bool is_finished = report.at("acceptance").at("stages").back().at("state") == "done";
    EXPECT_EQ(word, is_finished ? "PASS" : "INCOMPLETE") << milliseconds << " ms";
    // The kernel kills the children when their parent is gone, in its own time.
    for (int wait = 0; wait < 500 && !processes_that_name(folder.path().string()).empty(); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(processes_that_name(folder.path().string()).empty());
  }
  EXPECT_GT(reports, 0) << "every run was killed before its first report";
}

TEST(simulated_run, readiness_waits_for_the_fabric) {
  EXPECT_EQ(run_gpucert({"ready", "--simulate", "h200,system-not-ready:2"}).exit_code, 2);
  EXPECT_EQ(run_gpucert({"ready", "--simulate", "h200,system-not-ready:1", "--wait-for-fabric", "20"}).exit_code, 0);
}

} // namespace
} // namespace gpucert

#endif
