// SPDX-License-Identifier: Apache-2.0
// A folder that is gone again at the end of the scope.
#pragma once

#include "node/wrong_input.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpucert {

class temporary_folder {
public:
  /// Below TMPDIR, else /tmp. Throws unreadable_input when it cannot be made.
  explicit temporary_folder(std::string_view name) {
    std::error_code error;
    std::string made = (std::filesystem::temp_directory_path(error) / fmt::format("{}-XXXXXX", name)).string();
    if (error || ::mkdtemp(made.data()) == nullptr)
      throw unreadable_input(fmt::format("{}: cannot be made", made), "set TMPDIR to a folder that can be written");
    path_ = made;
  }
  temporary_folder(const temporary_folder &) = delete;
  temporary_folder &operator=(const temporary_folder &) = delete;
  ~temporary_folder() {
    std::error_code ignored; // what is left over in a temporary folder does no harm
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace gpucert
