// SPDX-License-Identifier: Apache-2.0
// Runs that hide their simulator: whatever way its libraries come in, the result is not of this node.
#include "certify/gpu_program.h"
#include "certify/verdict.h"
#include "tests/certify/running.h"

#include <gtest/gtest.h>

#ifdef GPUCERT_HAS_SIMULATOR

namespace gpucert {
namespace {

namespace fs = std::filesystem;

const fs::path simulator_libraries = fs::path(program).parent_path().parent_path() / "lib" / "simulator";

/// As a user would who sets the variable and asks for it to be passed on.
command_result run_with_libraries(const std::string &verb, std::vector<std::string> more) {
  std::vector<std::string> words{simulator_libraries, program, verb};
  words.insert(words.end(), more.begin(), more.end());
  return run_script("LD_LIBRARY_PATH=$1; export LD_LIBRARY_PATH; shift; exec \"$@\" --pass-environment "
                    "LD_LIBRARY_PATH --format json",
                    std::move(words));
}

TEST(forged_run, of_ready_is_invalid) {
  const command_result ran = run_with_libraries("ready", {});
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  const json report = stack_of(ran);
  EXPECT_EQ(report.at("verdicts").at("return_to_service").at("word"), "INVALID");
  EXPECT_TRUE(report.at("is_simulated").get<bool>());
}

// Where no GPU is, accept does not even start the programs; where one is, it sees what they loaded.
TEST(forged_run, of_accept_neither_returns_to_service_nor_certifies) {
  const test_folder folder;
  const command_result ran = run_with_libraries(
      "accept", {"--level", "standard", "--scale", "tiny", "--force", "--output", (folder / "run").string()});
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  const json verdicts = stack_of(ran).at("verdicts");
  const bool has_run = !stack_of(ran).at("acceptance").at("gpus").empty();
  EXPECT_EQ(verdicts.at("return_to_service").at("word"), has_run ? "INVALID" : "INCOMPLETE");
  EXPECT_EQ(verdicts.at("certifiable").at("word"), has_run ? "INVALID" : "INCOMPLETE");
}

/// A run in which everything else is as it should be: the GPU programs, started with these variables.
verdicts judge_programs(const std::vector<std::string> &environment, const std::string &simulation = "") {
  const test_folder folder;
  acceptance_record record;
  record.build_cuda_version = 13000;
  record.simulation = simulation;
  for (const char *name : {"stack", "ready", "conformance"})
    record.stages.push_back({name, stage_state::done, 1, ""});
  record.gpus.push_back({0, std::nullopt, {}});
  for (const char *name : {"ready", "conformance"}) {
    gpu_program_request request;
    request.name = name;
    request.program = fs::path(program).parent_path() / (std::string("gpucert-") + name);
    request.arguments = {"--level", "quick", "--scale", "tiny"};
    request.environment = environment;
    request.can_list = request.name != "ready";
    request.lines_file = folder / (std::string(name) + ".jsonl");
    record.gpus[0].programs.push_back(run_gpu_program(request));
    EXPECT_FALSE(record.gpus[0].programs.back().cases.empty()) << record.gpus[0].programs.back().problem.value_or("");
  }
  EXPECT_TRUE(is_simulated(record));
  stack_report stack;
  stack.status = stack_status::pass;
  return judge_acceptance(record, stack, "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05");
}

TEST(forged_run, of_programs_is_invalid_by_what_they_loaded) {
  const verdicts drawn = judge_programs({"LD_LIBRARY_PATH=" + simulator_libraries.string()});
  EXPECT_EQ(drawn.return_to_service.word, verdict_word::invalid);
  EXPECT_EQ(drawn.certifiable.word, verdict_word::invalid);
}

TEST(forged_run, with_libraries_copied_elsewhere_is_invalid) {
  const test_folder folder;
  fs::copy(simulator_libraries, folder / "lib", fs::copy_options::recursive);
  EXPECT_EQ(judge_programs({"LD_LIBRARY_PATH=" + (folder / "lib").string()}).return_to_service.word,
            verdict_word::invalid);
}

// The healthy twin: the same programs, with the simulator asked for.
TEST(forged_run, is_none_when_the_simulator_was_asked_for) {
  EXPECT_EQ(judge_programs({"LD_LIBRARY_PATH=" + simulator_libraries.string()}, "h200").return_to_service.word,
            verdict_word::pass);
}

} // namespace
} // namespace gpucert

#endif
