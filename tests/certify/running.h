// SPDX-License-Identifier: Apache-2.0
// Runs the built programs as a user does, for the tests of this folder.
#pragma once

#include "node/command.h"
#include "node/scratch_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

using json = nlohmann::ordered_json;

inline const std::string program = GPUCERT_PROGRAM;
inline const std::string nodes_folder = GPUCERT_SOURCE_DIR "/tests/nodes/";

/// Far above what any of these runs needs, and below the time-out of a test.
inline constexpr std::chrono::milliseconds hang_limit{200000};

inline command_result run(std::vector<std::string> words) { return run_command({std::move(words), {}, hang_limit}); }

inline command_result run_gpucert(std::vector<std::string> words) {
  words.insert(words.begin(), program);
  return run(std::move(words));
}

/// For redirections. The words are $1, $2 ... of the script.
inline command_result run_script(const std::string &script, std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"/bin/sh", "-c", script, "sh"});
  return run(std::move(words));
}

inline std::string read_text(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::filesystem::path &path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// An empty folder of the test's own, gone with it.
class test_folder {
public:
  test_folder() : folder_("gpucert-test") {
    std::filesystem::permissions(path(), std::filesystem::perms(0755)); // other users run programs in it
  }
  std::filesystem::path operator/(std::string_view name) const { return path() / name; }
  const std::filesystem::path &path() const { return folder_.path(); }

private:
  scratch_folder folder_;
};

/// A capture of its own in `folder`, to be changed.
inline std::filesystem::path copy_node(const std::string &name, const test_folder &folder) {
  const std::filesystem::path copy = folder / name;
  std::filesystem::copy(nodes_folder + name, copy, std::filesystem::copy_options::recursive);
  return copy;
}

/// The stack report of a run; discarded JSON where it printed none.
inline json stack_of(const command_result &ran) { return json::parse(ran.output, nullptr, false); }

inline bool is_reported(const json &stack, std::string_view id) {
  const json &findings = stack.at("findings");
  return std::any_of(findings.begin(), findings.end(), [&](const json &found) { return found.at("id") == id; });
}

/// The names of all captures, sorted.
inline std::vector<std::string> node_names() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(nodes_folder))
    if (entry.is_directory())
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

inline bool is_one_line(std::string_view text) {
  return text.size() > 1 && text.ends_with('\n') && std::count(text.begin(), text.end(), '\n') == 1;
}

/// Nothing that a terminal acts on, but the ends of lines.
inline bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\n') || code == 0x7f;
  });
}

/// Processes whose command line holds this text, such as the path of a folder of the test's own.
inline std::vector<std::string> processes_that_name(std::string_view text) {
  std::vector<std::string> found;
  for (const auto &entry : std::filesystem::directory_iterator("/proc"))
    if (const std::string line = read_text(entry.path() / "cmdline"); line.find(text) != line.npos)
      found.push_back(entry.path().filename().string() + ": " + line);
  return found;
}

} // namespace gpucert
