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

class scratch_folder {
public:
  /// Below TMPDIR, else /tmp. Throws unreadable_input when it cannot be made.
  explicit scratch_folder(std::string_view name) {
    std::error_code error;
    std::string made = (std::filesystem::temp_directory_path(error) / fmt::format("{}-XXXXXX", name)).string();
    if (error || ::mkdtemp(made.data()) == nullptr)
      throw unreadable_input(fmt::format("{}: cannot be made", made), "set TMPDIR to a folder that can be written");
    path_ = std::filesystem::canonical(made);
  }
  scratch_folder(const scratch_folder &) = delete;
  scratch_folder &operator=(const scratch_folder &) = delete;
  ~scratch_folder() {
    std::error_code ignored; // what is left over in it does no harm
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace gpucert
