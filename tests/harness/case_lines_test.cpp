// SPDX-License-Identifier: Apache-2.0
// Case lines: every field comes back, and no text is too strange to be read.
#include "harness/case_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace gpucert {
namespace {

run_event sample_run() {
  run_event event;
  event.program = "gpucert-bench";
  event.suite_version = "0.1.0";
  event.scale = "tiny";
  event.seed = "18446744073709551615";
  event.device = device_identity{3, "NVIDIA H200", "0000:3b:00.0", "9.0", 150754820096.0, 52428800, 132};
  event.cuda_driver_version = 13000;
  event.cuda_runtime_version = 13000;
  event.architectures = {75, 90};
  event.libraries = {{"libcuda", "/usr/lib/libcuda.so.580.65.06", "build-id:00ff", false},
                     {"libnvidia-ml", "/sim/libnvidia-ml.so.1", "sha256:ab", true}};
  event.is_simulated = true;
  return event;
}

case_end sample_end() {
  case_end event;
  event.name = "bench.stream.triad_f32";
  event.outcome = case_outcome::pass;
  event.seconds = 0.25;
  metric measured;
  measured.name = "bench.stream.triad_f32_gb_per_s";
  measured.value = 4321.5;
  measured.unit = "gb_per_s";
  measured.is_higher_better = true;
  measured.samples = {4320.25, 4321.5, 4400};
  measured.peak_kind = "memory";
  measured.details = {{"min", 4320.25}, {"q3", 4360.75}};
  event.metrics = {measured};
  return event;
}

const std::string run_text = to_line(sample_run());

TEST(case_lines, run_comes_back_whole) {
  const auto record = parse_case_lines(run_text);
  ASSERT_TRUE(record.run);
  const run_event &read = *record.run;
  const run_event written = sample_run();
  EXPECT_EQ(read.program, written.program);
  EXPECT_EQ(read.suite_version, written.suite_version);
  EXPECT_EQ(read.scale, written.scale);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.cuda_driver_version, written.cuda_driver_version);
  EXPECT_EQ(read.cuda_runtime_version, written.cuda_runtime_version);
  EXPECT_EQ(read.architectures, written.architectures);
  EXPECT_EQ(read.libraries, written.libraries);
  EXPECT_TRUE(read.is_simulated);
  ASSERT_TRUE(read.device);
  EXPECT_EQ(read.device->index, 3);
  EXPECT_EQ(read.device->name, "NVIDIA H200");
  EXPECT_EQ(read.device->pci_bus_id, "0000:3b:00.0");
  EXPECT_EQ(read.device->compute_capability, "9.0");
  EXPECT_EQ(read.device->memory_bytes, 150754820096.0);
  EXPECT_EQ(read.device->l2_bytes, 52428800);
  EXPECT_EQ(read.device->multiprocessors, 132);
  EXPECT_EQ(to_line(read), run_text) << "a field that is written and not read";
}

TEST(case_lines, absent_values_stay_absent) {
  run_event event;
  event.program = "gpucert-ready";
  const auto record = parse_case_lines(to_line(event));
  ASSERT_TRUE(record.run);
  EXPECT_FALSE(record.run->device);
  EXPECT_FALSE(record.run->cuda_driver_version);
  EXPECT_FALSE(record.run->cuda_runtime_version);
}

TEST(case_lines, end_comes_back_whole) {
  const std::string line = to_line(sample_end());
  const auto record = parse_case_lines(run_text + start_line("bench.stream.triad_f32") + line + done_line());
  ASSERT_EQ(record.ended.size(), 1u);
  EXPECT_EQ(to_line(record.ended[0]), line);
  EXPECT_EQ(record.ended[0].metrics[0].samples, sample_end().metrics[0].samples);
  EXPECT_EQ(record.ended[0].metrics[0].details, sample_end().metrics[0].details);
  EXPECT_EQ(record.ended[0].metrics[0].peak_kind, "memory");
  EXPECT_FALSE(record.running);
  EXPECT_TRUE(record.is_done);
  EXPECT_TRUE(record.broken_lines.empty());
}

TEST(case_lines, every_outcome_has_a_word_that_reads_back) {
  for (const auto outcome : {case_outcome::pass, case_outcome::fail, case_outcome::skip, case_outcome::error})
    EXPECT_EQ(parse_case_outcome(name_of(outcome)), outcome);
  EXPECT_FALSE(parse_case_outcome("passed"));
}

TEST(case_lines, error_keeps_its_cuda_code) {
  case_end event;
  event.name = "conformance.a.b";
  event.outcome = case_outcome::error;
  event.reason = "cudaMalloc: cudaErrorMemoryAllocation";
  event.cuda_error = 2;
  const auto record = parse_case_lines(run_text + start_line(event.name) + to_line(event));
  ASSERT_EQ(record.ended.size(), 1u);
  EXPECT_EQ(record.ended[0].cuda_error, 2);
  EXPECT_EQ(record.ended[0].reason, event.reason);
}

TEST(case_lines, crash_leaves_the_running_case_and_no_done) {
  const std::string torn = to_line(sample_end()).substr(0, 40);
  const auto record = parse_case_lines(run_text + start_line("conformance.gemm.exact") + torn);
  EXPECT_EQ(record.running, "conformance.gemm.exact");
  EXPECT_FALSE(record.is_done);
  EXPECT_TRUE(record.broken_lines.empty()) << "the last line, cut off, is passed over";
}

TEST(case_lines, numbers_that_json_lacks_are_never_written) {
  case_end event = sample_end();
  event.seconds = std::numeric_limits<double>::quiet_NaN();
  event.metrics[0].samples.push_back(std::numeric_limits<double>::infinity());
  event.metrics[0].details["q1"] = -std::numeric_limits<double>::infinity();
  const auto parsed = nlohmann::json::parse(to_line(event));
  EXPECT_EQ(parsed["metrics"][0]["samples"].size(), 3u);
  EXPECT_FALSE(parsed["metrics"][0]["details"].contains("q1"));
  EXPECT_EQ(parsed["seconds"], 0.0);
}

TEST(case_lines, metric_without_a_number_is_an_error_not_a_gap) {
  case_end event = sample_end();
  event.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  const auto record = parse_case_lines(run_text + start_line(event.name) + to_line(event));
  ASSERT_EQ(record.ended.size(), 1u);
  EXPECT_EQ(record.ended[0].outcome, case_outcome::error);
  EXPECT_NE(record.ended[0].reason.find("bench.stream.triad_f32_gb_per_s"), std::string::npos);
  EXPECT_TRUE(record.ended[0].metrics.empty());
}

TEST(case_lines, bytes_that_are_no_utf8_are_replaced) {
  case_end event = sample_end();
  event.reason = "caf\xe9\nline";
  const std::string line = to_line(event);
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "one event, one line";
  const auto record = parse_case_lines(run_text + start_line(event.name) + line);
  ASSERT_EQ(record.ended.size(), 1u);
  EXPECT_EQ(record.ended[0].reason, "caf\xef\xbf\xbd\nline");
}

struct hostile_line {
  const char *name;
  std::string text;
};

class broken_line_test : public testing::TestWithParam<hostile_line> {};

TEST_P(broken_line_test, is_kept_as_broken_and_the_rest_is_read) {
  const std::string &line = GetParam().text;
  const auto record = parse_case_lines(run_text + line + "\n" + start_line("a") + "\n");
  EXPECT_EQ(record.broken_lines, std::vector{line});
  EXPECT_TRUE(record.run);
  EXPECT_EQ(record.running, "a");
}

std::string deep_objects(std::size_t depth) {
  std::string text;
  while (depth-- > 0)
    text += R"({"event":)";
  return text;
}

std::string deep(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

INSTANTIATE_TEST_SUITE_P(
    lines, broken_line_test,
    testing::Values(hostile_line{"not_json", "CUDA error: out of memory"}, hostile_line{"only_a_number", "7"},
                    hostile_line{"an_array", R"([{"event":"done"}])"}, hostile_line{"no_event", R"({"case":"x"})"},
                    hostile_line{"event_is_a_number", R"({"event":1})"},
                    hostile_line{"unknown_event", R"({"event":"pause"})"},
                    hostile_line{"second_run", run_text.substr(0, run_text.size() - 1)},
                    hostile_line{"end_without_start", R"({"event":"end","case":"x"})"},
                    hostile_line{"start_without_case", R"({"event":"start"})"},
                    hostile_line{"nul_bytes", std::string("\0\0\0", 3)}, hostile_line{"no_utf8", "\xff\xfe{"},
                    hostile_line{"number_out_of_range", R"({"event":"start","case":"x","n":1e999})"},
                    hostile_line{"a_million_brackets", deep(1'000'000)},
                    hostile_line{"many_objects", deep_objects(100'000)},
                    hostile_line{"an_unfinished_event", R"({"event":"start","case":"x)"},
                    hostile_line{"a_long_unfinished_string", "\"" + std::string(1'000'000, 'x')}),
    [](const auto &tested) { return tested.param.name; });

TEST(case_lines, end_of_another_case_does_not_end_the_running_one) {
  case_end other = sample_end();
  other.name = "bench.other";
  const auto record = parse_case_lines(run_text + start_line("bench.stream.triad_f32") + to_line(other));
  EXPECT_EQ(record.running, "bench.stream.triad_f32");
  EXPECT_EQ(record.broken_lines.size(), 1u);
}

TEST(case_lines, end_with_a_wrong_field_leaves_the_case_running) {
  std::string line = to_line(sample_end());
  line.replace(line.find("\"pass\""), 6, "\"good\"");
  const auto record = parse_case_lines(run_text + start_line("bench.stream.triad_f32") + line);
  EXPECT_EQ(record.running, "bench.stream.triad_f32");
  EXPECT_EQ(record.broken_lines.size(), 1u);
}

TEST(case_lines, nothing_after_done_counts) {
  const auto record = parse_case_lines(run_text + done_line() + start_line("late"));
  EXPECT_TRUE(record.is_done);
  EXPECT_FALSE(record.running);
  EXPECT_EQ(record.broken_lines.size(), 1u);
}

} // namespace
} // namespace gpucert
