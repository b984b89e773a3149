// SPDX-License-Identifier: Apache-2.0
// Reads files that may block. A wedged driver can hold a reader of /proc or /sys in the kernel for ever, where no
// signal reaches it; so such reads happen in a child process that can be given up.
#pragma once

#include "node/file_descriptor.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>

namespace gpucert {

/// The answer of one guarded read: text, or errno, or neither when the deadline passed.
struct guarded_answer {
  std::optional<std::string> text;
  int error = 0; // errno of the child's open or read
  bool is_truncated = false;

  /// Also true in the rare case that the child died while it read.
  bool timed_out() const { return !text && error == 0; }
};

/// One child process that opens and reads files on request. It is forked on the first request, and again after a
/// child had to be given up or was killed. A child that cannot be killed (state D) is abandoned: nothing waits for it.
class guarded_reader {
public:
  guarded_reader() = default;
  ~guarded_reader();
  guarded_reader(const guarded_reader &) = delete;
  guarded_reader &operator=(const guarded_reader &) = delete;

  guarded_answer read(const std::string &path, std::size_t limit_bytes, std::chrono::milliseconds deadline);

private:
  void start();
  void give_up();

  bool request(const std::string &path, std::size_t limit_bytes);

  pid_t child_ = -1;
  file_descriptor channel_; // a socket: writing to a child that is gone must not raise SIGPIPE
};

} // namespace gpucert
