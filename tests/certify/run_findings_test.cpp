// SPDX-License-Identifier: Apache-2.0
#include "certify/reference_peaks.h"
#include "certify/run_findings.h"
#include "checks/catalogue.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

acceptance_record one_case(std::string program, case_end end) {
  acceptance_record record;
  record.gpus.push_back({0, std::nullopt, {{std::move(program), {end.name}, {end}, {}, {}}}});
  return record;
}

std::string only_id(const acceptance_record &record) {
  const std::vector<finding> found = judge_runs(record);
  return found.size() == 1 ? found.front().id() : std::to_string(found.size()) + " findings";
}

struct error_row {
  int code;
  const char *id;
};
class cuda_errors : public testing::TestWithParam<error_row> {};

TEST_P(cuda_errors, become_findings_of_the_catalogue) {
  case_end end{"ready.gpu_0", case_outcome::error, "cudaMalloc failed", GetParam().code, 0, {}};
  EXPECT_EQ(only_id(one_case("ready", end)), GetParam().id);
  EXPECT_NE(catalogue::built_in().find(GetParam().id), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    codes, cuda_errors,
    testing::Values(error_row{35, "userspace.driver-too-old-for-runtime"}, error_row{100, "userspace.cuda-no-device"},
                    error_row{802, "fabric.manager-not-running"}, error_row{803, "userspace.version-mismatch"},
                    error_row{804, "userspace.cuda-compat-unsupported"}, error_row{999, "userspace.cuda-unknown-error"},
                    error_row{2, "cuda.call-failed"}),
    [](const auto &row) { return "code_" + std::to_string(row.param.code); });

TEST(run_findings, tell_hang_crash_and_wrong_result_apart) {
  EXPECT_EQ(only_id(one_case("ready", {"ready.gpu_0", case_outcome::error, "hung: no result", {}, 0, {}})),
            "cuda.context-hang");
  EXPECT_EQ(only_id(one_case("conformance", {"a", case_outcome::error, "hung: no result", {}, 0, {}})),
            "cuda.test-hung");
  EXPECT_EQ(only_id(one_case("conformance", {"a", case_outcome::error, "crashed: by signal 11", {}, 0, {}})),
            "cuda.test-crashed");
  EXPECT_EQ(only_id(one_case("conformance", {"a", case_outcome::fail, "found 1, expected 2", {}, 0, {}})),
            "cuda.wrong-result");
}

TEST(run_findings, error_35_without_a_libcuda_is_a_missing_library) {
  acceptance_record record = one_case("ready", {"ready.devices", case_outcome::error, "35", 35, 0, {}});
  record.gpus[0].programs[0].processes.push_back({run_event{}, "exited with 2", false, ""});
  EXPECT_EQ(only_id(record), "userspace.library-missing");
  record.gpus[0].programs[0].processes[0].run->cuda_driver_version = 12020;
  EXPECT_EQ(only_id(record), "userspace.driver-too-old-for-runtime");
}

TEST(run_findings, a_skip_is_none) {
  EXPECT_TRUE(judge_runs(one_case("conformance", {"a", case_outcome::skip, "no FP8 on this GPU", {}, 0, {}})).empty());
}

acceptance_record measured(double gb_per_s) {
  case_end end{"bench.stream.triad", case_outcome::pass, "", {}, 0, {}};
  metric one;
  one.name = "bench.stream.triad_gb_per_s";
  one.value = gb_per_s;
  one.unit = "gb_per_s";
  one.peak_kind = "memory";
  end.metrics = {one};
  acceptance_record record = one_case("bench", end);
  record.gpus[0].identity = device_identity{0, "NVIDIA H200", "", "9.0", 0, 0, 132};
  return record;
}

TEST(tripwire, lies_at_a_share_of_the_datasheet) {
  const auto wire = find_tripwire("NVIDIA H200", "memory");
  ASSERT_TRUE(wire);
  EXPECT_EQ(only_id(measured(wire->limit() - 1)), "performance.below-tripwire");
  EXPECT_TRUE(judge_runs(measured(wire->limit() + 1)).empty());
}

TEST(tripwire, is_absent_where_there_is_no_figure) {
  EXPECT_FALSE(find_tripwire("Unheard-of GPU", "memory"));
  EXPECT_FALSE(find_tripwire("NVIDIA H200", "no such kind"));
  EXPECT_FALSE(find_tripwire("Tesla T4", "bf16")) << "T4 has no bf16 tensor cores";
}

TEST(tripwire, takes_the_most_particular_name) {
  EXPECT_EQ(find_tripwire("NVIDIA A100-SXM4-80GB", "memory")->peak, 2039);
  EXPECT_EQ(find_tripwire("NVIDIA A100-SXM4-40GB", "memory")->peak, 1555);
  EXPECT_EQ(find_tripwire("NVIDIA L40S", "memory")->peak, 864) << "not that of the L4";
}

} // namespace
} // namespace gpucert
