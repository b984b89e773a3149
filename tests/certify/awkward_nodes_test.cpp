// SPDX-License-Identifier: Apache-2.0
// Nodes that do not answer as they should: no GPU, no permission, reads that never end, an NVML that hangs or lies.
#include "tests/certify/running.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

const std::string fault = nodes_folder + "incident_fault";

/// A tree of a machine with neither GPU nor driver.
fs::path make_plain_machine(const test_folder &folder) {
  const fs::path tree = folder / "tree";
  write_text(tree / "proc/modules", "ext4 1000000 1 - Live 0x0000000000000000\n");
  write_text(tree / "proc/sys/kernel/osrelease", "6.1.0-25-amd64\n");
  write_text(tree / "var/lib/dpkg/status", "Package: bash\nStatus: install ok installed\nVersion: 5.2.15-2+b7\n\n");
  for (const char *empty : {"sys/bus/pci/devices", "dev", "etc", "usr/lib/x86_64-linux-gnu"})
    fs::create_directories(tree / empty);
  return tree;
}

TEST(plain_machine, is_not_a_gpu_node) {
  const test_folder folder;
  const std::string tree = make_plain_machine(folder);
  const command_result ran = run_gpucert({"check", "--tree", tree});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_TRUE(ran.output.starts_with("UNKNOWN: not a GPU node: ")) << ran.output;
  EXPECT_EQ(run_gpucert({"check", "--tree", tree, "--expect-gpus", "0"}).exit_code, 3);

  const command_result expected = run_gpucert({"check", "--tree", tree, "--expect-gpus", "1", "--format", "json"});
  EXPECT_EQ(expected.exit_code, 2);
  EXPECT_EQ(stack_of(expected).at("diagnosis").at("root_cause"), "hw.gpu-missing");
}

// No check compares anything there, and a run in which nothing was compared is no pass.
TEST(gpu_off_pci, is_not_called_coherent_where_its_libraries_are_not_known) {
  const test_folder folder;
  const std::string tree = make_plain_machine(folder);
  write_text(folder / "tree/proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
  const command_result wsl2 = run_gpucert({"check", "--tree", tree});
  EXPECT_EQ(wsl2.exit_code, 3);
  EXPECT_TRUE(wsl2.output.starts_with("UNKNOWN: cannot tell: ")) << wsl2.output;

  const command_result jetson = run_gpucert({"check", "--root", nodes_folder + "format_jetson_049"});
  EXPECT_EQ(jetson.exit_code, 3);
  EXPECT_TRUE(jetson.output.starts_with("UNKNOWN: cannot tell: ")) << jetson.output;
}

TEST(this_machine, is_judged_without_a_driver) {
  for (const char *depth : {"--deadline=10", "--deep"}) {
    const command_result ran = run_gpucert({"check", "--format", "json", depth});
    EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 2 || ran.exit_code == 3) << ran.how_it_ended();
    EXPECT_TRUE(stack_of(ran).is_object());
    EXPECT_EQ(ran.errors, "");
  }
}

/// Runs gpucert as a user who may read only what everybody may. Nothing where we cannot become one.
class unprivileged_user {
public:
  explicit unprivileged_user(const test_folder &folder) : program_(folder / "gpucert") {
    fs::copy_file(program, program_); // the build may lie where others cannot look
    if (::geteuid() == 0)
      prefix_ = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    std::vector<std::string> trial = prefix_;
    trial.insert(trial.end(), {program_, "--version"});
    can_run_ = run(trial).succeeded();
  }
  bool can_run() const { return can_run_; }
  command_result run_gpucert(const std::vector<std::string> &words) const {
    std::vector<std::string> all = prefix_;
    all.push_back(program_);
    all.insert(all.end(), words.begin(), words.end());
    return run(all);
  }

private:
  std::string program_;
  std::vector<std::string> prefix_;
  bool can_run_ = false;
};

TEST(unreadable, root_is_told_in_one_line) {
  const test_folder folder;
  const unprivileged_user user(folder);
  if (!user.can_run())
    GTEST_SKIP() << "cannot run as an unprivileged user (setpriv)";
  const fs::path node = copy_node("incident_fault", folder);
  fs::permissions(node, fs::perms(0));
  for (const char *option : {"--root", "--tree"}) {
    const command_result ran = user.run_gpucert({"check", option, node});
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_EQ(ran.output, "");
    EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
    EXPECT_NE(ran.errors.find("Permission denied"), std::string::npos) << ran.errors;
  }
  fs::permissions(node, fs::perms(0755));
}

// What may not be read is not the same as what is not there.
TEST(unreadable, files_make_the_node_unknown) {
  const test_folder folder;
  const unprivileged_user user(folder);
  if (!user.can_run())
    GTEST_SKIP() << "cannot run as an unprivileged user (setpriv)";
  const fs::path node = copy_node("incident_repaired", folder);
  for (const char *part : {"root/proc", "root/sys", "root/var", "commands"})
    fs::permissions(node / part, fs::perms(0));
  const command_result ran = user.run_gpucert({"check", "--root", node, "--format", "json"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_FALSE(stack_of(ran).at("unknown").empty());
  for (const char *part : {"root/proc", "root/sys", "root/var", "commands"})
    fs::permissions(node / part, fs::perms(0755));
}

TEST(unreadable, folder_for_output_is_told_in_one_line) {
  const test_folder folder;
  const unprivileged_user user(folder);
  if (!user.can_run())
    GTEST_SKIP() << "cannot run as an unprivileged user (setpriv)";
  const fs::path node = copy_node("incident_fault", folder);
  const fs::path closed = folder / "closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms(0555));
  for (const command_result &ran : {user.run_gpucert({"check", "--root", node, "--output", closed / "report.json"}),
                                    user.run_gpucert({"collect", "--root", node, closed / "capture"})}) {
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
    EXPECT_NE(ran.errors.find("Permission denied"), std::string::npos) << ran.errors;
  }
  EXPECT_TRUE(fs::is_empty(closed));
  fs::permissions(closed, fs::perms(0755));
}

/// Promised is the deadline and a second; a machine that builds at the same time gets three.
constexpr std::chrono::milliseconds slack{3000};

struct timed_result {
  command_result ran;
  std::chrono::milliseconds took{};
};

timed_result check_with_deadline(const std::vector<std::string> &words, const std::string &seconds) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> all = {"check", "--format", "json", "--deadline", seconds};
  all.insert(all.end(), words.begin(), words.end());
  timed_result result{run_gpucert(all)};
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  return result;
}

/// A read of a FIFO without a writer never ends, as that of a file of a wedged driver.
void replace_by_fifo(const fs::path &file) {
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0) << std::strerror(errno);
}

TEST(endless_read, of_the_module_version_ends_at_the_deadline) {
  const test_folder folder;
  const fs::path node = copy_node("incident_repaired", folder);
  replace_by_fifo(node / "root/proc/driver/nvidia/version");
  fs::remove_all(node / "root/sys/module"); // the other place that states the version
  const auto [ran, took] = check_with_deadline({"--root", node}, "1");
  EXPECT_LT(took, std::chrono::milliseconds(1000) + slack);
  EXPECT_EQ(ran.exit_code, 3) << ran.how_it_ended();
  const json stack = stack_of(ran);
  ASSERT_TRUE(stack.is_object());
  EXPECT_TRUE(stack["versions"]["kernel_module_version"].is_null());
  EXPECT_NE(stack["unknown"].dump().find("did not end within"), std::string::npos) << stack["unknown"];
  EXPECT_EQ(processes_that_name(node.string()), std::vector<std::string>());
}

TEST(endless_read, of_any_one_file_ends_at_the_deadline) {
  const test_folder folder;
  const fs::path node = copy_node("incident_fault", folder);
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(node))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  ASSERT_GT(files.size(), 30U);
  for (const fs::path &file : files) {
    const std::string kept = read_text(file);
    replace_by_fifo(file);
    const auto [ran, took] = check_with_deadline({"--root", node}, "0.1");
    EXPECT_LT(took, std::chrono::milliseconds(100) + slack) << file;
    EXPECT_EQ(ran.end, command_end::exited) << file << " " << ran.how_it_ended();
    EXPECT_TRUE(ran.exit_code == 2 || ran.exit_code == 3) << file << " " << ran.exit_code;
    fs::remove(file);
    write_text(file, kept);
  }
}

TEST(endless_read, of_all_files_ends_at_the_deadline) {
  const test_folder folder;
  const fs::path node = copy_node("incident_fault", folder);
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(node))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  for (const fs::path &file : files)
    replace_by_fifo(file);
  const std::string root = node / "root";
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"--root", node}, std::vector<std::string>{"--tree", root}}) {
    const auto [ran, took] = check_with_deadline(words, "0.5");
    EXPECT_LT(took, std::chrono::milliseconds(500) + slack);
    EXPECT_EQ(ran.exit_code, 3) << ran.how_it_ended();
    EXPECT_TRUE(stack_of(ran).is_object());
  }
  const command_result collected = run_gpucert({"collect", "--root", node, "--deadline", "0.5", folder / "copy"});
  EXPECT_EQ(collected.exit_code, 0) << collected.errors;
  EXPECT_EQ(processes_that_name(node.string()), std::vector<std::string>());
}

// libkmod opens these itself.
TEST(endless_read, of_the_indexes_of_modules_ends_at_the_deadline) {
  for (const char *name : {"modules.dep.bin", "modules.alias.bin", "modules.symbols.bin", "modules.builtin.bin",
                           "modules.builtin.alias.bin", "modules.dep"}) {
    const test_folder folder;
    const fs::path tree = make_plain_machine(folder);
    const fs::path index = tree / "lib/modules/6.1.0-25-amd64" / name;
    write_text(index, "");
    replace_by_fifo(index);
    const auto [ran, took] = check_with_deadline({"--tree", tree}, "0.2");
    EXPECT_LT(took, std::chrono::milliseconds(200) + slack) << name;
    EXPECT_EQ(ran.exit_code, 3) << name << " " << ran.how_it_ended();
    EXPECT_TRUE(stack_of(ran).is_object());
    EXPECT_EQ(processes_that_name(tree.string()), std::vector<std::string>());
  }
}

struct odd_nvml {
  const char *name;
  const char *script; // of a stand-in for gpucert-nvml
};

class odd_nvml_programs : public testing::TestWithParam<odd_nvml> {};

TEST_P(odd_nvml_programs, do_not_stop_the_report) {
  const test_folder folder;
  fs::copy_file(program, folder / "gpucert"); // it takes the gpucert-nvml beside it
  write_text(folder / "gpucert-nvml",
             fmt::format("#!/bin/sh\necho $$ >'{}'\n{}\n", (folder / "pid").string(), GetParam().script));
  fs::permissions(folder / "gpucert-nvml", fs::perms(0755));
  const auto begin = std::chrono::steady_clock::now();
  const command_result ran = run({folder / "gpucert", "check", "--deep", "--deadline", "1", "--format", "json"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1000) + slack);
  EXPECT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
  EXPECT_TRUE(stack_of(ran).is_object());

  const std::string pid = read_text(folder / "pid");
  ASSERT_NE(pid, "") << "it was not started";
  EXPECT_EQ(::kill(static_cast<pid_t>(std::stol(pid)), 0), -1) << "process " << pid << " is still there";
  EXPECT_EQ(processes_that_name(folder.path().string()), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(
    programs, odd_nvml_programs,
    testing::Values(odd_nvml{"sleeps", "exec sleep 1000"}, odd_nvml{"sleeps_in_a_child", "sleep 1000; sleep 1000"},
                    odd_nvml{"ignores_signals", "trap '' TERM INT HUP; while :; do sleep 1000; done"},
                    odd_nvml{"crashes", "kill -SEGV $$"}, odd_nvml{"fails", "echo no >&2; exit 7"},
                    odd_nvml{"floods", "exec yes"}, odd_nvml{"prints_half_a_document", "echo '{\"schema\": \"gpuc'"},
                    odd_nvml{"leaves_a_child", "sleep 1000 & echo '{}'"}),
    [](const auto &entry) { return entry.param.name; });

TEST(odd_nvml_program, may_be_missing) {
  const test_folder folder;
  fs::copy_file(program, folder / "gpucert");
  const command_result ran = run({folder / "gpucert", "check", "--deep", "--format", "json"});
  EXPECT_TRUE(stack_of(ran).is_object()) << ran.how_it_ended();
}

} // namespace
} // namespace gpucert
