// SPDX-License-Identifier: Apache-2.0
// Ownership of file descriptors, and reads and writes that survive signals.
#pragma once

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gpucert {

/// Owns one descriptor; -1 owns none.
class file_descriptor {
public:
  explicit file_descriptor(int number = -1) : number_(number) {}
  file_descriptor(file_descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor &operator=(file_descriptor &&other) noexcept {
    reset(std::exchange(other.number_, -1));
    return *this;
  }
  ~file_descriptor() { reset(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset(int number = -1) {
    if (number_ >= 0)
      ::close(number_);
    number_ = number;
  }

private:
  int number_;
};

/// read(2) that is not interrupted by signals. Returns what read(2) returns.
inline ssize_t read_some(int descriptor, char *buffer, std::size_t size) {
  ssize_t got = 0;
  do
    got = ::read(descriptor, buffer, size);
  while (got < 0 && errno == EINTR);
  return got;
}

/// Writes all of `text`. Returns false with errno set when it could not.
inline bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

[[noreturn]] inline void throw_errno(const std::string &what) {
  throw std::system_error(errno, std::generic_category(), what);
}

} // namespace gpucert
