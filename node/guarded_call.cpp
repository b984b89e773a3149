// SPDX-License-Identifier: Apache-2.0
#include "node/guarded_call.h"

#include "node/child_process.h"
#include "node/file_descriptor.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

// Exit codes of the child.
constexpr int returned_text = 0;
constexpr int returned_nothing = 1;
constexpr int failed = 2;

[[noreturn]] void answer(const std::function<std::optional<std::string>()> &function, int to) {
  int code = failed;
  try {
    const std::optional<std::string> text = function();
    if (write_all(to, text.value_or("")))
      code = text ? returned_text : returned_nothing;
  } catch (const std::exception &) { // told by the exit code; there is nobody else to tell
  }
  ::_exit(code);
}

/// Reads to the end of file. False when that does not come before `end`.
bool read_to_end(int from, std::string &text, clock::time_point end) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t got = read_some(from, buffer.data(), buffer.size());
    if (got <= 0)
      return got == 0;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

} // namespace

guarded_call_result call_guarded(const std::function<std::optional<std::string>()> &function,
                                 std::chrono::milliseconds deadline) {
  const auto end = clock::now() + deadline;
  if (deadline.count() <= 0)
    return {};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw_errno("pipe2");
  const file_descriptor from(ends[0]);
  file_descriptor to(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw_errno("fork");
  if (child == 0) {
    die_with_parent(parent);
    answer(function, to.get());
  }
  to.reset();
  guarded_call_result result;
  std::string text;
  if (!read_to_end(from.get(), text, end))
    ::kill(child, SIGKILL);
  const std::optional<int> status = reap_or_abandon(child);
  if (!status || !WIFEXITED(*status) || WEXITSTATUS(*status) == failed)
    return result;
  result.has_ended = true;
  if (WEXITSTATUS(*status) == returned_text)
    result.text = std::move(text);
  return result;
}

} // namespace gpucert
