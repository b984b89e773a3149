// SPDX-License-Identifier: Apache-2.0
// Where the case lines of a run go.
#pragma once

#include <string>
#include <string_view>

namespace gpucert {

/// Writes each line with one write(2), so that a crash right after it loses nothing and a reader of a pipe sees it
/// whole.
class case_writer {
public:
  /// `path` is a file, which is appended to, or /dev/fd/N, the open descriptor N of this process; empty: lines go
  /// nowhere. Throws std::system_error.
  explicit case_writer(const std::string &path);
  ~case_writer();
  case_writer(const case_writer &) = delete;
  case_writer &operator=(const case_writer &) = delete;

  /// Throws std::system_error: a run whose lines are lost must end. (On a pipe that nobody reads SIGPIPE ends it.)
  void write(std::string_view line);

private:
  std::string path_;
  int file_ = -1;
};

} // namespace gpucert
