// SPDX-License-Identifier: Apache-2.0
#include "node/guarded_reader.h"

#include "node/child_process.h"
#include "node/file_descriptor.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

// What travels over the pipes, in front of the path and in front of the text.
struct request_header {
  std::uint64_t path_bytes;
  std::uint64_t limit_bytes;
};
struct answer_header {
  std::int64_t error;
  std::uint64_t text_bytes;
  std::uint64_t is_truncated;
};

template <class Header> std::string_view bytes_of(const Header &header) {
  return {reinterpret_cast<const char *>(&header), sizeof header}; // NOLINT: both ends are this program
}

bool read_exactly(int descriptor, char *to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = read_some(descriptor, to, size);
    if (got <= 0)
      return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Reads up to `limit` bytes; `header` says how it went.
std::string read_in_child(const std::string &path, std::size_t limit, answer_header &header) {
  std::string text;
  const file_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open()) {
    header.error = errno;
    return text;
  }
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = read_some(file.get(), buffer.data(), buffer.size());
    if (got < 0)
      header.error = errno;
    if (got <= 0)
      break;
    const std::size_t kept = std::min(static_cast<std::size_t>(got), limit - text.size());
    text.append(buffer.data(), kept);
    if (kept < static_cast<std::size_t>(got)) {
      header.is_truncated = 1;
      break;
    }
  }
  header.text_bytes = text.size();
  return text;
}

[[noreturn]] void serve(int requests, int answers) {
  request_header request{};
  while (read_exactly(requests, reinterpret_cast<char *>(&request), sizeof request)) { // NOLINT: as above
    std::string path(request.path_bytes, '\0');
    if (!read_exactly(requests, path.data(), path.size()))
      break;
    answer_header header{};
    const std::string text = read_in_child(path, request.limit_bytes, header);
    if (!write_all(answers, bytes_of(header)) || !write_all(answers, text))
      break;
  }
  ::_exit(0);
}

/// Reads exactly `size` bytes before `end`; false on time-out or when the child is gone.
bool receive(int descriptor, char *to, std::size_t size, clock::time_point end) {
  while (size > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    if (left <= 0)
      return false;
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t got = read_some(descriptor, to, size);
    if (got <= 0)
      return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

} // namespace

guarded_reader::~guarded_reader() {
  if (child_ > 0)
    give_up();
}

void guarded_reader::start() {
  std::array<int, 2> requests{}, answers{};
  if (::pipe2(requests.data(), O_CLOEXEC) != 0)
    throw_errno("pipe2");
  if (::pipe2(answers.data(), O_CLOEXEC) != 0)
    throw_errno("pipe2");
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0)
    throw_errno("fork");
  if (child_ == 0) {
    die_with_parent(parent);
    ::close(requests[1]);
    ::close(answers[0]);
    serve(requests[0], answers[1]);
  }
  ::close(requests[0]);
  ::close(answers[1]);
  to_child_ = requests[1];
  from_child_ = answers[0];
}

void guarded_reader::give_up() {
  ::close(to_child_);
  ::close(from_child_);
  ::kill(child_, SIGKILL);
  reap_or_abandon(child_);
  child_ = -1;
}

guarded_answer guarded_reader::read(const std::string &path, std::size_t limit_bytes,
                                    std::chrono::milliseconds deadline) {
  const auto end = clock::now() + deadline;
  if (deadline.count() <= 0)
    return {};
  if (child_ < 0)
    start();
  const request_header request{path.size(), limit_bytes};
  answer_header header{};
  if (!write_all(to_child_, bytes_of(request)) || !write_all(to_child_, path) ||
      !receive(from_child_, reinterpret_cast<char *>(&header), sizeof header, end)) { // NOLINT: as above
    give_up();
    return {};
  }
  std::string text(header.text_bytes, '\0');
  if (!receive(from_child_, text.data(), text.size(), end)) {
    give_up();
    return {};
  }
  if (header.error != 0)
    return {std::nullopt, static_cast<int>(header.error), false};
  return {std::move(text), 0, header.is_truncated != 0};
}

} // namespace gpucert
