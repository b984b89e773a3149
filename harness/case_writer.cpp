// SPDX-License-Identifier: Apache-2.0
// Case lines to a file or a descriptor.
#include "harness/case_writer.h"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace gpucert {
namespace {

/// The N of /dev/fd/N. It is duplicated, not opened: a socket cannot be opened by that name.
std::optional<int> descriptor_of(std::string_view path) {
  constexpr std::string_view prefix = "/dev/fd/";
  if (!path.starts_with(prefix))
    return std::nullopt;
  path.remove_prefix(prefix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  if (error != std::errc{} || end != path.data() + path.size() || number < 0)
    return std::nullopt;
  return number;
}

} // namespace

case_writer::case_writer(const std::string &path) : path_(path) {
  if (path.empty())
    return;
  const auto descriptor = descriptor_of(path);
  file_ = descriptor ? fcntl(*descriptor, F_DUPFD_CLOEXEC, 0)
                     : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0)
    throw std::system_error(errno, std::generic_category(), "cannot open " + path + " for case lines");
}

case_writer::~case_writer() {
  if (file_ >= 0)
    close(file_);
}

void case_writer::write(std::string_view line) {
  while (file_ >= 0 && !line.empty()) {
    const ssize_t written = ::write(file_, line.data(), line.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      throw std::system_error(errno, std::generic_category(), "cannot write case lines to " + path_);
    line.remove_prefix(static_cast<std::size_t>(written)); // a pipe may take less than a very long line
  }
}

} // namespace gpucert
