// SPDX-License-Identifier: Apache-2.0
// A capture of a node gives the answers of the node.
#include "tests/certify/running.h"

#include <array>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

/// What must not change on the way through a capture.
json conclusions(const command_result &checked) {
  const json stack = stack_of(checked);
  json result = {{"status", stack.at("status")}, {"exit_code", checked.exit_code}, {"versions", stack.at("versions")}};
  result["root_cause"] = stack.at("diagnosis").at("root_cause");
  for (const json &found : stack.at("findings"))
    result["findings"].push_back({found.at("id"), found.at("saw"), found.at("is_explained")});
  return result;
}

class capture_collect : public testing::TestWithParam<std::string> {};

TEST_P(capture_collect, keeps_the_findings_of_a_capture) {
  const test_folder folder;
  const std::string node = nodes_folder + GetParam();
  const command_result collected = run_gpucert({"collect", "--root", node, folder / "copy"});
  EXPECT_EQ(collected.exit_code, 0) << collected.errors;
  EXPECT_EQ(conclusions(run_gpucert({"check", "--root", folder / "copy", "--format", "json"})),
            conclusions(run_gpucert({"check", "--root", node, "--format", "json"})));
}

INSTANTIATE_TEST_SUITE_P(all, capture_collect, testing::ValuesIn(node_names()),
                         [](const auto &node) { return node.param; });

/// The incident as a bare tree: libraries, device files and links where a capture has lists.
fs::path make_incident_tree(const test_folder &folder) {
  const fs::path tree = folder / "tree";
  fs::copy(nodes_folder + "incident_fault/root", tree, fs::copy_options::recursive);
  fs::remove(tree / "dev.list");
  write_text(tree / "etc/hostname", "gpu-node-17.example.org\n");
  const fs::path libraries = tree / "usr/lib/x86_64-linux-gnu";
  for (const char *name : {"libcuda.so", "libnvidia-ml.so"}) {
    write_text(libraries / (std::string(name) + ".550.54.15"), "");
    fs::create_symlink(std::string(name) + ".550.54.15", libraries / (std::string(name) + ".1"));
  }
  for (const char *name : {"nvidia0", "nvidiactl", "nvidia-uvm"})
    write_text(tree / "dev" / name, "");
  const fs::path gpu = tree / "sys/bus/pci/devices/0000:3b:00.0";
  fs::remove(gpu / "driver.txt");
  fs::create_directories(tree / "sys/bus/pci/drivers/nvidia");
  fs::create_symlink("../../drivers/nvidia", gpu / "driver");
  return tree;
}

TEST(collect, keeps_the_findings_of_a_tree) {
  const test_folder folder;
  const fs::path tree = make_incident_tree(folder);
  const json of_tree = conclusions(run_gpucert({"check", "--tree", tree, "--format", "json"}));
  EXPECT_EQ(of_tree.at("root_cause"), "driver.module-older-than-userspace");
  EXPECT_EQ(of_tree.at("exit_code"), 2);
  const command_result collected = run_gpucert({"collect", "--tree", tree, folder / "copy"});
  EXPECT_EQ(collected.exit_code, 0) << collected.errors;
  EXPECT_EQ(conclusions(run_gpucert({"check", "--root", folder / "copy", "--format", "json"})), of_tree);
}

TEST(collect, keeps_the_findings_of_this_machine) {
  const test_folder folder;
  const command_result collected = run_gpucert({"collect", folder / "copy"});
  EXPECT_EQ(collected.exit_code, 0) << collected.errors;
  EXPECT_EQ(conclusions(run_gpucert({"check", "--root", folder / "copy", "--format", "json"})),
            conclusions(run_gpucert({"check", "--deep", "--format", "json"})));
}

TEST(collect, removes_the_name_of_the_host) {
  const test_folder folder;
  const fs::path tree = make_incident_tree(folder);
  write_text(tree / "var/log/apt/history.log",
             "Start-Date: 2024-06-12  06:41:03\nCommandline: apt-get -o Host=gpu-node-17 upgrade\n"
             "Upgrade: libnvidia-compute-535-server:amd64 (535.161.07-0ubuntu1, 550.54.15-0ubuntu1)\n\n");
  ASSERT_EQ(run_gpucert({"collect", "--tree", tree, folder / "copy"}).exit_code, 0);
  for (const auto &entry : fs::recursive_directory_iterator(folder / "copy"))
    if (entry.is_regular_file()) {
      EXPECT_EQ(read_text(entry.path()).find("gpu-node-17"), std::string::npos) << entry.path();
    }
}

TEST(collect, takes_an_empty_folder) {
  const test_folder folder;
  fs::create_directory(folder / "empty");
  const command_result ran = run_gpucert({"collect", "--root", nodes_folder + "incident_fault", folder / "empty"});
  EXPECT_EQ(ran.exit_code, 0) << ran.errors;
  EXPECT_EQ(run_gpucert({"check", "--root", folder / "empty"}).exit_code, 2);
}

TEST(collect, refuses_what_is_there_already) {
  const test_folder folder;
  write_text(folder / "full/kept.txt", "kept");
  write_text(folder / "file", "kept");
  write_text(folder / "empty_file", "");
  fs::create_directory_symlink(folder / "nowhere", folder / "dangling");
  for (const char *name : {"full", "file", "empty_file", "dangling"}) {
    const command_result ran = run_gpucert({"collect", "--root", nodes_folder + "incident_fault", folder / name});
    EXPECT_EQ(ran.exit_code, 64) << name;
    EXPECT_EQ(ran.output, "") << name;
    EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
  }
  EXPECT_EQ(read_text(folder / "full/kept.txt"), "kept");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 4) << "something stayed";
}

} // namespace
} // namespace gpucert
