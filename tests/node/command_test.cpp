// SPDX-License-Identifier: Apache-2.0
#include "node/child_process.h"
#include "node/command.h"
#include "tests/node/child_processes.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace gpucert {
namespace {

using namespace std::chrono_literals;

command_result run(std::vector<std::string> arguments, std::chrono::milliseconds deadline = 10s) {
  return run_command({std::move(arguments), {}, deadline});
}

/// `sh -c` with its arguments behind it; the script is ours, the shell just one program like others.
command_result run_script(const std::string &script, std::chrono::milliseconds deadline = 10s) {
  return run({"sh", "-c", script}, deadline);
}

TEST(command, gives_output_errors_and_exit_code) {
  const command_result result = run_script("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.end, command_end::exited);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.how_it_ended(), "exited with 3");
  EXPECT_TRUE(run({"true"}).succeeded());
}

TEST(command, tells_a_signal_from_an_exit) {
  const command_result result = run_script("kill -SEGV $$");
  EXPECT_EQ(result.end, command_end::signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_FALSE(result.succeeded());
  EXPECT_NE(result.how_it_ended().find("signal 11"), std::string::npos);
}

TEST(command, exit_127_of_a_program_is_no_failed_start) {
  const command_result result = run_script("exit 127");
  EXPECT_EQ(result.end, command_end::exited);
  EXPECT_EQ(result.exit_code, 127);
}

TEST(command, what_is_not_there_or_no_program_is_not_started) {
  temporary_folder folder;
  folder.write("plain", "text");
  folder.write("rubbish", "text");
  std::filesystem::permissions(folder / "rubbish", std::filesystem::perms(0755));
  EXPECT_EQ(run({"gpucert-no-such-program"}).end, command_end::not_started);
  EXPECT_EQ(run({"gpucert-no-such-program"}).start_error, ENOENT);
  EXPECT_EQ(run({folder / "none"}).start_error, ENOENT);
  EXPECT_EQ(run({folder / "plain"}).start_error, EACCES);
  EXPECT_EQ(run({folder / "plain"}).how_it_ended(), "could not be started: Permission denied");
  EXPECT_EQ(run({folder / "rubbish"}).start_error, ENOEXEC);
}

TEST(command, arguments_reach_the_program_as_they_are) {
  const command_result result = run({"printf", "%s\n", "a b", "$HOME", "`id`", "; exit 1", "*", ""});
  EXPECT_EQ(result.output, "a b\n$HOME\n`id`\n; exit 1\n*\n\n");
}

TEST(command, environment_is_not_inherited) {
  ::setenv("LD_PRELOAD", "", 1); // an empty one is harmless to us, and would still be seen below
  ::setenv("LD_LIBRARY_PATH", "/none", 1);
  ::setenv("LANG", "de_DE.UTF-8", 1);
  const command_result result = run({"env"});
  ::unsetenv("LD_PRELOAD");
  ::unsetenv("LD_LIBRARY_PATH");
  ::unsetenv("LANG");
  EXPECT_EQ(result.output, fmt::format("PATH={}\nLC_ALL=C.UTF-8\n", command_path));
}

TEST(command, a_given_environment_is_the_whole_one) {
  EXPECT_EQ(run_command({{"env"}, {"A=1", "B=two words"}}).output, "A=1\nB=two words\n");
}

TEST(command, has_no_standard_input) {
  const command_result result = run({"cat"});
  EXPECT_EQ(result.end, command_end::exited);
  EXPECT_EQ(result.output, "");
}

TEST(command, output_over_the_limit_is_dropped_and_marked) {
  const command_result cut = run_command({{"head", "-c", "300000", "/dev/zero"}, {}, 10s, 1000});
  EXPECT_TRUE(cut.succeeded()) << "it was read to its end, so that the program could finish";
  EXPECT_EQ(cut.output.size(), 1000U);
  EXPECT_TRUE(cut.is_truncated);
  const command_result whole = run_command({{"head", "-c", "1000", "/dev/zero"}, {}, 10s, 1000});
  EXPECT_EQ(whole.output.size(), 1000U);
  EXPECT_FALSE(whole.is_truncated);
}

TEST(command, output_of_two_full_pipes_does_not_block) {
  const command_result result = run_script("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2");
  EXPECT_EQ(result.output.size(), 300'000U);
  EXPECT_EQ(result.errors.size(), 300'000U);
}

TEST(command, a_program_that_closes_its_output_is_waited_for) {
  const command_result result = run_script("exec >&- 2>&-; sleep 0.05; exit 7");
  EXPECT_EQ(result.end, command_end::exited);
  EXPECT_EQ(result.exit_code, 7);
}

TEST(command, ends_at_the_deadline_and_keeps_what_was_written) {
  const command_result result = run_script("echo before; exec sleep 60", 200ms);
  EXPECT_EQ(result.end, command_end::timed_out);
  EXPECT_EQ(result.output, "before\n");
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(run({"true"}, 0ms).end, command_end::timed_out) << "no time was left";
}

TEST(command, the_deadline_kills_a_grandchild_that_ignores_sigterm_and_holds_the_pipe) {
  const command_result result =
      run_script("trap '' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 60; done' & wait", 300ms);
  EXPECT_EQ(result.end, command_end::timed_out);
  const pid_t grandchild = std::stoi(result.output);
  EXPECT_TRUE(comes_true([&] { return !is_alive(grandchild); }));
}

TEST(command, a_grandchild_does_not_outlive_a_program_that_ended) {
  const command_result result = run_script("sleep 60 & echo $!; exit 4");
  EXPECT_EQ(result.end, command_end::exited) << "the pipe is still held, and nobody waits for it";
  EXPECT_EQ(result.exit_code, 4);
  const pid_t grandchild = std::stoi(result.output);
  EXPECT_TRUE(comes_true([&] { return !is_alive(grandchild); }));
}

TEST(command, works_where_the_caller_has_no_standard_files) {
  const pid_t child = ::fork();
  if (child == 0) { // what some supervisors give: descriptors 0 to 2 closed
    for (const int number : {0, 1, 2})
      ::close(number);
    const command_result result = run_script("echo out; echo err >&2");
    ::_exit(result.output == "out\n" && result.errors == "err\n" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(command, works_where_the_caller_ignores_its_children) {
  const auto before = std::signal(SIGCHLD, SIG_IGN); // inherited from some supervisors: then wait(2) finds nothing
  const command_result result = run_script("exit 5");
  std::signal(SIGCHLD, before);
  EXPECT_EQ(result.end, command_end::exited);
  EXPECT_EQ(result.exit_code, 5);
}

TEST(command, dies_with_a_parent_that_was_killed) {
  temporary_folder folder;
  const std::string note = (folder / "pid").string();
  const pid_t parent = ::fork();
  if (parent == 0) {
    run({"sh", "-c", "echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 60", note}, 60s);
    ::_exit(0);
  }
  ASSERT_TRUE(comes_true([&] { return folder.has("pid"); }));
  const pid_t child = std::stoi(folder.text_of("pid"));
  EXPECT_TRUE(is_alive(child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return !is_alive(child); }));
}

/// A frozen cgroup (version 1): its processes do not even take SIGKILL, as in state D.
class freezer {
public:
  freezer() : path_(fmt::format("/sys/fs/cgroup/freezer/gpucert-test-{}", ::getpid())) {
    std::error_code error;
    is_usable_ = std::filesystem::exists("/sys/fs/cgroup/freezer/tasks", error) &&
                 std::filesystem::create_directory(path_, error);
  }
  ~freezer() {
    if (!is_usable_)
      return;
    thaw();
    comes_true([&] { return ::rmdir(path_.c_str()) == 0; });
  }
  bool is_usable() const { return is_usable_; }
  const std::string &path() const { return path_; }
  void thaw() const { std::ofstream(path_ + "/freezer.state") << "THAWED"; }

private:
  std::string path_;
  bool is_usable_ = false;
};

TEST(command, a_child_that_cannot_be_killed_is_abandoned) {
  const freezer frozen;
  if (!frozen.is_usable())
    GTEST_SKIP() << "needs a writable cgroup v1 freezer";
  const auto start = std::chrono::steady_clock::now();
  const command_result result =
      run({"sh", "-c", "echo $$ > \"$0/tasks\"; echo $$; echo FROZEN > \"$0/freezer.state\"; sleep 60", frozen.path()},
          500ms);
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(result.end, command_end::abandoned);
  EXPECT_LT(took, 500ms + 1s) << "the promise: kill_grace after the deadline";
  EXPECT_NE(result.how_it_ended().find("cannot be killed"), std::string::npos);
  ASSERT_FALSE(result.output.empty());
  const pid_t child = std::stoi(result.output);
  EXPECT_TRUE(is_alive(child));
  frozen.thaw();
  EXPECT_EQ(::waitpid(child, nullptr, 0), child) << "the kernel lets go, and the signal was kept";
}

} // namespace
} // namespace gpucert
