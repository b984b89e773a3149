// SPDX-License-Identifier: Apache-2.0
// A folder of one test, gone with it: file trees and captures are built in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace gpucert {

class temporary_folder {
public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gpucert-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  ~temporary_folder() {
    std::error_code ignored; // a test that failed half-way must not fail again here
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder &) = delete;
  temporary_folder &operator=(const temporary_folder &) = delete;

  const std::filesystem::path &path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes one file, with the folders above it.
  void write(std::string_view name, std::string_view text) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  void make_folder(std::string_view name) const { std::filesystem::create_directories(path_ / name); }
  void link(std::string_view name, std::string_view target) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    std::filesystem::create_symlink(target, path_ / name);
  }
  /// A FIFO without a writer: who opens it to read waits for ever.
  void make_fifo(std::string_view name) const {
    make_folder(std::filesystem::path(name).parent_path().string());
    if (::mkfifo((path_ / name).c_str(), 0644) != 0)
      throw std::runtime_error("no FIFO");
  }

  std::string text_of(std::string_view name) const {
    std::ostringstream text;
    text << std::ifstream(path_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  bool has(std::string_view name) const { return std::filesystem::exists(path_ / name); }

private:
  std::filesystem::path path_;
};

} // namespace gpucert
