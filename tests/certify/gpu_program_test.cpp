// SPDX-License-Identifier: Apache-2.0
// gpucert against programs that crash, hang and lie: small scripts that speak in case lines.
#include "certify/gpu_program.h"
#include "node/scratch_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

class gpu_program : public testing::Test {
protected:
  /// `body` sees the case in $id, and writes to $lines.
  program_record run(const std::string &body, std::chrono::milliseconds case_deadline = std::chrono::seconds(20)) {
    const fs::path script = folder_.path() / "program";
    std::ofstream(script)
        << "#!/bin/bash\n"
           "excluded=' '; lines=/dev/null; list=0; ids='"
        << ids_
        << "'\n"
           "while (($#)); do case $1 in\n"
           "  --list) list=1;; --case-lines) lines=$2; shift;; --exclude) excluded+=\"$2 \"; shift;;\n"
           "esac; shift; done\n"
           "if ((list)); then printf '%s\\n' $ids; exit 0; fi\n"
           "echo '"
        << line(to_line(run_event{})) << "' >>$lines\n"
        << "for id in $ids; do\n"
           "  [[ $excluded == *\" $id \"* ]] && continue\n"
           "  echo '{\"event\":\"start\",\"case\":\"'$id'\"}' >>$lines\n"
        << body << "\n  echo '" << line(to_line(case_end{"ID", case_outcome::pass, "", {}, 0, {}}))
        << "' | sed \"s/ID/$id/\" >>$lines\n"
           "done\n"
           "echo '"
        << line(done_line()) << "' >>$lines\n";
    fs::permissions(script, fs::perms::owner_all);
    gpu_program_request request;
    request.program = script;
    request.environment = {"PATH=/usr/bin:/bin"};
    request.lines_file = folder_.path() / "lines.jsonl";
    request.case_deadline = case_deadline;
    request.on_progress = [this](const case_progress &now) { seen_.push_back(now); };
    return run_gpu_program(request);
  }

  static std::string line(std::string text) {
    text.pop_back(); // its line end
    return text;
  }

  static const case_end *find(const program_record &result, const std::string &name) {
    for (const case_end &end : result.cases)
      if (end.name == name)
        return &end;
    return nullptr;
  }

  scratch_folder folder_{"gpu-program-test"};
  std::string ids_ = "a b c";
  std::vector<case_progress> seen_;
};

TEST_F(gpu_program, runs_all_cases_in_one_process) {
  const program_record result = run("");
  EXPECT_TRUE(result.is_complete()) << result.problem.value_or("");
  EXPECT_EQ(result.cases.size(), 3U);
  EXPECT_EQ(result.processes.size(), 1U);
}

TEST_F(gpu_program, goes_on_after_a_crash) {
  const program_record result = run("[[ $id == b ]] && kill -SEGV $$");
  ASSERT_NE(find(result, "b"), nullptr);
  EXPECT_EQ(find(result, "b")->outcome, case_outcome::error);
  EXPECT_TRUE(find(result, "b")->reason.starts_with("crashed")) << find(result, "b")->reason;
  EXPECT_EQ(find(result, "c")->outcome, case_outcome::pass);
  EXPECT_EQ(result.processes.size(), 2U);
}

TEST_F(gpu_program, goes_on_after_a_hang) {
  const program_record result = run("[[ $id == a ]] && sleep 1000", std::chrono::milliseconds(500));
  EXPECT_TRUE(find(result, "a")->reason.starts_with("hung")) << find(result, "a")->reason;
  EXPECT_EQ(find(result, "b")->outcome, case_outcome::pass);
  EXPECT_EQ(find(result, "c")->outcome, case_outcome::pass);
}

TEST_F(gpu_program, is_seen_to_be_silent_while_a_case_hangs) {
  run("[[ $id == b ]] && sleep 1000", std::chrono::milliseconds(1000));
  const auto later = std::count_if(seen_.begin(), seen_.end(), [](const case_progress &now) {
    return now.running == "b" && now.ended == 1 && now.silent > std::chrono::milliseconds(0);
  });
  EXPECT_GT(later, 1);
}

TEST_F(gpu_program, is_stopped_after_its_third_hang) {
  ids_ = "a b c d e";
  const program_record result = run("sleep 1000", std::chrono::milliseconds(200));
  EXPECT_EQ(result.cases.size(), 3U);
  EXPECT_EQ(result.missing(), (std::vector<std::string>{"d", "e"}));
  EXPECT_FALSE(result.is_complete());
}

TEST_F(gpu_program, ends_when_every_case_crashes) {
  const program_record result = run("kill -ABRT $$");
  EXPECT_EQ(result.cases.size(), 3U);
  EXPECT_EQ(result.processes.size(), 3U);
}

TEST_F(gpu_program, that_reports_nothing_is_a_problem_and_no_pass) {
  const program_record result = run("exit 3");
  EXPECT_FALSE(find(result, "a") == nullptr) << "the case had begun";
  EXPECT_EQ(find(result, "a")->outcome, case_outcome::error);
}

TEST_F(gpu_program, that_does_not_exist_is_a_problem) {
  gpu_program_request request;
  request.program = folder_.path() / "absent";
  request.lines_file = folder_.path() / "lines.jsonl";
  const program_record result = run_gpu_program(request);
  EXPECT_TRUE(result.problem);
  EXPECT_FALSE(result.is_complete());
}

TEST_F(gpu_program, keeps_the_lines_of_all_processes) {
  run("[[ $id == b ]] && kill -SEGV $$");
  std::ifstream in(folder_.path() / "lines.jsonl");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  std::size_t ends = 0;
  for (std::size_t at = text.find("\"end\""); at != std::string::npos; at = text.find("\"end\"", at + 1))
    ++ends;
  EXPECT_EQ(ends, 2U) << text;
}

} // namespace
} // namespace gpucert
