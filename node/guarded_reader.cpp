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
#include <sys/socket.h>
#include <sys/wait.h>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

// What travels over the channel, in front of the path and in front of the text.
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

[[noreturn]] void serve(int channel) {
  request_header request{};
  while (read_exactly(channel, reinterpret_cast<char *>(&request), sizeof request)) { // NOLINT: as above
    std::string path(request.path_bytes, '\0');
    if (!read_exactly(channel, path.data(), path.size()))
      break;
    answer_header header{};
    const std::string text = read_in_child(path, request.limit_bytes, header);
    if (!write_all(channel, bytes_of(header)) || !write_all(channel, text))
      break;
  }
  ::_exit(0);
}

/// Sends all of `text`; false when the child is gone. Requests are short, so that this does not block.
bool send_all(int channel, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::send(channel, text.data(), text.size(), MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
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
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_errno("socketpair");
  file_descriptor ours(ends[0]);
  const file_descriptor theirs(ends[1]);
  keep_wait_statuses();
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0)
    throw_errno("fork");
  if (child_ == 0) {
    die_with_parent(parent);
    ours.reset(); // else the child would keep its own channel open when we are gone
    serve(theirs.get());
  }
  channel_ = std::move(ours);
}

void guarded_reader::give_up() {
  channel_.reset();
  ::kill(child_, SIGKILL);
  reap_or_abandon(child_);
  child_ = -1;
}

/// Sends one request, to a fresh child where the last one is gone.
bool guarded_reader::request(const std::string &path, std::size_t limit_bytes) {
  const request_header header{path.size(), limit_bytes};
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (child_ < 0)
      start();
    if (send_all(channel_.get(), bytes_of(header)) && send_all(channel_.get(), path))
      return true;
    give_up();
  }
  return false;
}

guarded_answer guarded_reader::read(const std::string &path, std::size_t limit_bytes,
                                    std::chrono::milliseconds deadline) {
  const auto end = clock::now() + deadline;
  if (deadline.count() <= 0)
    return {};
  if (!request(path, limit_bytes))
    return {};
  answer_header header{};
  if (!receive(channel_.get(), reinterpret_cast<char *>(&header), sizeof header, end)) { // NOLINT: as above
    give_up();
    return {};
  }
  std::string text(header.text_bytes, '\0');
  if (!receive(channel_.get(), text.data(), text.size(), end)) {
    give_up();
    return {};
  }
  if (header.error != 0)
    return {std::nullopt, static_cast<int>(header.error), false};
  return {std::move(text), 0, header.is_truncated != 0};
}

} // namespace gpucert
