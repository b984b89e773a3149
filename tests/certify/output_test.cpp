// SPDX-License-Identifier: Apache-2.0
// Output that gets lost: full and read-only disks, closed pipes, kill -9.
#include "tests/certify/running.h"

#include <fmt/format.h>

#include <cstring>
#include <random>
#include <sys/mount.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

const std::string fault = nodes_folder + "incident_fault";

TEST(report_file, kill_at_any_moment_leaves_a_whole_one_or_none) {
  const test_folder folder;
  const fs::path file = folder / "report.json";
  std::mt19937 random(20240612); // NOLINT: the seed is fixed so that a failure can be repeated
  std::uniform_int_distribution<int> moment_us(500, 30000);
  int killed = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string seconds = fmt::format("{:.6f}", moment_us(random) / 1e6);
    const command_result ran =
        run({"timeout", "-s", "KILL", seconds, program, "check", "--root", fault, "--output", file});
    killed += ran.end == command_end::signalled || ran.exit_code == 137 ? 1 : 0;
    if (fs::exists(file)) {
      EXPECT_TRUE(json::accept(read_text(file))) << "killed after " << seconds << " s";
      fs::remove(file);
    }
  }
  EXPECT_GT(killed, 0) << "no run was killed: the moments are too late";
}

struct lost_output {
  const char *name;
  const char *script; // $1 program, $2 capture
  int exit_code;
  bool is_told;
};

class lost_outputs : public testing::TestWithParam<lost_output> {};

TEST_P(lost_outputs, are_noticed) {
  const command_result ran = run_script(GetParam().script, {program, fault});
  EXPECT_EQ(ran.exit_code, GetParam().exit_code) << ran.errors;
  EXPECT_EQ(is_one_line(ran.errors), GetParam().is_told) << ran.errors;
}

INSTANTIATE_TEST_SUITE_P(
    places, lost_outputs,
    testing::Values(lost_output{"full_disk_behind_stdout", "exec \"$1\" check --root \"$2\" >/dev/full", 3, true},
                    lost_output{"full_disk_behind_a_list", "exec \"$1\" list findings >/dev/full", 3, true},
                    lost_output{"full_disk_behind_help", "exec \"$1\" check --help >/dev/full", 3, true},
                    lost_output{"closed_stdout", "exec \"$1\" check --root \"$2\" >&-", 3, true},
                    lost_output{"full_device_as_report", "exec \"$1\" check --root \"$2\" --output /dev/full", 3,
                                true}),
    [](const auto &place) { return place.param.name; });

TEST(report_file, that_cannot_be_written_does_not_withhold_the_verdict) {
  const command_result ran = run_gpucert({"check", "--root", fault, "--output", "/dev/full"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_TRUE(ran.output.starts_with("FAIL: ")) << ran.output;
  EXPECT_NE(ran.errors.find("/dev/full: cannot be written: No space left on device"), std::string::npos) << ran.errors;
}

TEST(report_file, closed_pipe_keeps_the_exit_code_of_the_verdict) {
  const test_folder folder;
  // The reader is gone before the first byte comes.
  run_script("{ sleep 0.1; \"$1\" check --root \"$2\"; echo $? >\"$3\"; } | true", {program, fault, folder / "code"});
  EXPECT_EQ(read_text(folder / "code"), "2\n");
}

/// A file system of 64 kB, gone with the object.
class tiny_disk {
public:
  explicit tiny_disk(fs::path place) : place_(std::move(place)) {
    fs::create_directory(place_);
    is_mounted_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~tiny_disk() {
    if (is_mounted_)
      ::umount(place_.c_str());
  }
  tiny_disk(const tiny_disk &) = delete;
  tiny_disk &operator=(const tiny_disk &) = delete;
  bool is_mounted() const { return is_mounted_; }
  bool make_read_only() const { return ::mount("tmpfs", place_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "") == 0; }

private:
  fs::path place_;
  bool is_mounted_ = false;
};

TEST(full_disk, leaves_the_old_report_and_nothing_else) {
  const test_folder folder;
  const tiny_disk disk(folder / "disk");
  if (!disk.is_mounted())
    GTEST_SKIP() << "may not mount a file system: " << std::strerror(errno);
  write_text(folder / "disk/report.json", "an older report");
  write_text(folder / "disk/filler", std::string(100000, 'x'));
  const command_result ran = run_gpucert({"check", "--root", fault, "--output", folder / "disk/report.json"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
  EXPECT_EQ(read_text(folder / "disk/report.json"), "an older report");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "disk"), fs::directory_iterator()), 2);

  const command_result collected = run_gpucert({"collect", "--root", fault, folder / "disk/capture"});
  EXPECT_EQ(collected.exit_code, 3);
  EXPECT_TRUE(is_one_line(collected.errors)) << collected.errors;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "disk"), fs::directory_iterator()), 2);
}

TEST(read_only_disk, is_told_in_one_line) {
  const test_folder folder;
  const tiny_disk disk(folder / "disk");
  if (!disk.is_mounted() || !disk.make_read_only())
    GTEST_SKIP() << "may not mount a file system: " << std::strerror(errno);
  for (const command_result &ran : {run_gpucert({"check", "--root", fault, "--output", folder / "disk/report.json"}),
                                    run_gpucert({"collect", "--root", fault, folder / "disk/capture"})}) {
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
    EXPECT_NE(ran.errors.find("Read-only file system"), std::string::npos) << ran.errors;
  }
}

} // namespace
} // namespace gpucert
