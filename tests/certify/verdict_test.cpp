// SPDX-License-Identifier: Apache-2.0
#include "certify/verdict.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

run_event run_on(std::string libcuda, bool is_simulated = false) {
  run_event event;
  event.program = "gpucert-conformance";
  event.cuda_driver_version = 13000;
  event.libraries = {{"libcuda", std::move(libcuda), "build-id:1", is_simulated}};
  event.is_simulated = is_simulated;
  return event;
}

program_record passed(std::string program, std::vector<std::string> ids) {
  program_record record{
      std::move(program), ids, {}, {{run_on("/usr/lib/libcuda.so.580"), "exited with 0", false, ""}}, {}};
  for (std::string &id : ids)
    record.cases.push_back({std::move(id), case_outcome::pass, "", {}, 0.1, {}});
  return record;
}

acceptance_record healthy() {
  acceptance_record record;
  record.build_cuda_version = 13000;
  record.judged_drivers = "580 and newer";
  for (const char *name : {"stack", "ready", "conformance", "bench"})
    record.stages.push_back({name, stage_state::done, 1, ""});
  record.gpus.push_back({0, std::nullopt, {passed("ready", {"ready.gpu_0"}), passed("conformance", {"a", "b"})}});
  return record;
}

stack_report coherent() {
  stack_report stack;
  stack.status = stack_status::pass;
  return stack;
}

verdicts judge(const acceptance_record &record, const stack_report &stack = coherent()) {
  return judge_acceptance(record, stack, "/usr/lib/libcuda.so.580");
}

TEST(verdict, healthy_node_returns_to_service_and_is_not_certified_without_a_baseline) {
  const verdicts drawn = judge(healthy());
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::pass);
  EXPECT_EQ(drawn.certifiable.word, verdict_word::inconclusive);
  EXPECT_NE(drawn.certifiable.reasons.at(0).find("unbaselined"), std::string::npos);
}

TEST(verdict, a_case_that_did_not_run_is_incomplete) {
  acceptance_record record = healthy();
  record.gpus[0].programs[1].cases.pop_back();
  const verdicts drawn = judge(record);
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::incomplete);
  EXPECT_EQ(drawn.gpus.at(0).fit.word, verdict_word::incomplete);
}

TEST(verdict, a_run_in_which_everything_was_skipped_is_no_pass) {
  acceptance_record record = healthy();
  for (case_end &end : record.gpus[0].programs[1].cases)
    end.outcome = case_outcome::skip;
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::incomplete);
}

TEST(verdict, no_gpu_is_no_pass) {
  acceptance_record record = healthy();
  record.gpus.clear();
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::incomplete);
}

TEST(verdict, a_failed_case_fails_its_gpu_and_the_node) {
  acceptance_record record = healthy();
  record.gpus.push_back({1, std::nullopt, {passed("conformance", {"a"})}});
  record.gpus[1].programs[0].cases[0].outcome = case_outcome::fail;
  const verdicts drawn = judge(record);
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::fail);
  EXPECT_EQ(drawn.gpus.at(0).fit.word, verdict_word::pass);
  EXPECT_EQ(drawn.gpus.at(1).fit.word, verdict_word::fail);
}

TEST(verdict, a_stage_that_was_cut_off_is_incomplete) {
  acceptance_record record = healthy();
  record.stages[3].state = stage_state::running;
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::incomplete);
}

TEST(verdict, an_unknown_stack_is_incomplete) {
  stack_report stack = coherent();
  stack.status = stack_status::unknown;
  EXPECT_EQ(judge(healthy(), stack).return_to_service.word, verdict_word::incomplete);
}

TEST(verdict, a_folded_failure_does_not_count) {
  stack_report stack = coherent();
  reported_finding found;
  found.level = severity::fail;
  found.is_explained = true;
  stack.findings = {found};
  EXPECT_EQ(judge(healthy(), stack).return_to_service.word, verdict_word::pass);
  stack.findings[0].is_explained = false;
  EXPECT_EQ(judge(healthy(), stack).return_to_service.word, verdict_word::fail);
}

TEST(verdict, simulator_without_the_option_is_invalid) {
  acceptance_record record = healthy();
  record.gpus[0].programs[1].processes[0].run = run_on("/opt/simulator/libcuda.so.1", true);
  const verdicts drawn = judge(record);
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::invalid);
  EXPECT_EQ(drawn.certifiable.word, verdict_word::invalid);
}

TEST(verdict, a_simulated_run_that_loaded_nothing_is_simulated) {
  acceptance_record record;
  EXPECT_FALSE(is_simulated(record));
  record.simulation = "h200";
  EXPECT_TRUE(is_simulated(record));
}

TEST(verdict, real_libraries_in_a_simulated_run_are_invalid) {
  acceptance_record record = healthy();
  record.simulation = "h200";
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::invalid);
}

TEST(verdict, a_libcuda_that_is_not_the_drivers_is_not_certifiable) {
  acceptance_record record = healthy();
  record.gpus[0].programs[1].processes[0].run = run_on("/opt/other/libcuda.so.1");
  const verdicts drawn = judge(record);
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::pass);
  EXPECT_EQ(drawn.certifiable.word, verdict_word::invalid);
}

TEST(verdict, passed_variables_and_level_quick_are_not_certifiable) {
  acceptance_record record = healthy();
  record.passed_environment = {"LD_LIBRARY_PATH"};
  EXPECT_EQ(judge(record).certifiable.word, verdict_word::invalid);
  record = healthy();
  record.level = run_level::quick;
  EXPECT_EQ(judge(record).certifiable.word, verdict_word::invalid);
}

TEST(verdict, fewer_gpus_than_expected_fail) {
  acceptance_record record = healthy();
  record.expected_gpus = 2;
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::fail);
  record.expected_gpus = 1;
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::pass);
}

TEST(verdict, a_machine_that_is_no_gpu_node_is_not_at_fault) {
  stack_report stack = coherent();
  stack.is_no_gpu_node = true;
  acceptance_record record = healthy();
  record.gpus[0].programs[0].cases[0].outcome = case_outcome::error;
  EXPECT_EQ(judge(record, stack).return_to_service.word, verdict_word::incomplete);
}

TEST(verdict, foreign_processes_are_invalid_unless_forced) {
  acceptance_record record = healthy();
  record.foreign_processes = {"GPU 0: 1 compute processes"};
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::invalid);
  record.is_forced = true;
  EXPECT_EQ(judge(record).return_to_service.word, verdict_word::pass);
  EXPECT_EQ(judge(record).certifiable.word, verdict_word::invalid);
}

TEST(verdict, a_driver_too_old_for_the_build_is_a_limit_of_the_build) {
  acceptance_record record = healthy();
  record.gpus[0].programs[1].processes[0].run->cuda_driver_version = 12020;
  stack_report stack = coherent();
  reported_finding found;
  found.id = "userspace.driver-too-old-for-runtime";
  found.level = severity::fail;
  stack.findings = {found};
  stack.status = stack_status::fail;
  stack.diagnosis.root_cause = found.id;
  const verdicts drawn = judge(record, stack);
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::incomplete);
  EXPECT_NE(drawn.return_to_service.reasons.at(0).find("580 and newer"), std::string::npos);
}

} // namespace
} // namespace gpucert
