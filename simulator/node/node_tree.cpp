// SPDX-License-Identifier: Apache-2.0
#include "simulator/node/node_tree.h"

#include "simulator/node/node_files.h"
#include "simulator/node/nvml_replay.h"

#include <fstream>

namespace gpucert::simulator {
namespace {

void write_file(const std::filesystem::path &path, const std::string &text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file;
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.open(path, std::ios::binary);
  file << text;
  file.close();
}

} // namespace

void write_simulated_node(const std::filesystem::path &folder, const simulation &what) {
  for (const auto &[path, text] : node_files_of(what))
    write_file(folder / path, text);
  write_file(folder / "nvml.json", nvml_replay_of(what).dump(1) + "\n");
}

} // namespace gpucert::simulator
