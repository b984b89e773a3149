// SPDX-License-Identifier: Apache-2.0
// A folder of one test, gone with it: file trees and captures are built in it.
#pragma once

#include "node/scratch_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace gpucert {

class temporary_folder : public scratch_folder {
public:
  temporary_folder() : scratch_folder("gpucert-test") {}

  std::filesystem::path operator/(std::string_view name) const { return path() / name; }

  /// Writes one file, with the folders above it.
  void write(std::string_view name, std::string_view text) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    std::ofstream(path() / name, std::ios::binary) << text;
  }
  void make_folder(std::string_view name) const { std::filesystem::create_directories(path() / name); }
  void link(std::string_view name, std::string_view target) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    std::filesystem::create_symlink(target, path() / name);
  }
  /// A FIFO without a writer: who opens it to read waits for ever.
  void make_fifo(std::string_view name) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    if (::mkfifo((path() / name).c_str(), 0644) != 0)
      throw std::runtime_error("no FIFO");
  }

  std::string text_of(std::string_view name) const {
    std::ostringstream text;
    text << std::ifstream(path() / name, std::ios::binary).rdbuf();
    return text.str();
  }
  bool has(std::string_view name) const { return std::filesystem::exists(path() / name); }
};

} // namespace gpucert
