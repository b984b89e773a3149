// SPDX-License-Identifier: Apache-2.0
#include "node/command.h"

#include "node/child_process.h"
#include "node/file_descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/wait.h>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

struct pipe_ends {
  file_descriptor read, write;
};

/// Where we were started without standard input or output, a pipe would get their numbers, and the child would
/// overwrite it by its own.
file_descriptor above_standard_files(int number) {
  file_descriptor low(number);
  if (number > STDERR_FILENO)
    return low;
  file_descriptor moved(::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!moved.is_open())
    throw_errno("fcntl");
  return moved;
}

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw_errno("pipe2");
  return {above_standard_files(ends[0]), above_standard_files(ends[1])};
}

std::vector<std::string> default_environment() { return {fmt::format("PATH={}", command_path), "LC_ALL=C.UTF-8"}; }

std::vector<char *> pointers(std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (std::string &text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// The paths to try, computed before the fork: after it only async-signal-safe calls are allowed.
std::vector<std::string> candidates(const std::string &program) {
  if (program.find('/') != program.npos)
    return {program};
  std::vector<std::string> paths;
  std::string_view rest = command_path;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    paths.push_back(fmt::format("{}/{}", rest.substr(0, colon), program));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return paths;
}

[[noreturn]] void become(const std::vector<std::string> &paths, char *const *arguments, char *const *environment,
                         int standard_output, int standard_error, int report, pid_t parent) {
  die_with_parent(parent);
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(standard_output, STDOUT_FILENO);
  ::dup2(standard_error, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  int error = ENOENT;
  for (const std::string &path : paths) {
    ::execve(path.c_str(), arguments, environment);
    if (errno != ENOENT && errno != ENOTDIR)
      error = errno; // found, but not executable: the better message
  }
  [[maybe_unused]] const ssize_t put = ::write(report, &error, sizeof error);
  ::_exit(127);
}

/// Takes what is there. Returns false at end of file.
bool drain(file_descriptor &from, std::string &to, std::size_t limit, bool &is_truncated) {
  std::array<char, 65536> buffer{};
  const ssize_t got = read_some(from.get(), buffer.data(), buffer.size());
  if (got <= 0)
    return false;
  const std::size_t kept = std::min(static_cast<std::size_t>(got), limit - std::min(limit, to.size()));
  to.append(buffer.data(), kept);
  is_truncated |= kept < static_cast<std::size_t>(got);
  return true;
}

/// Collects output until the child ends or `end` passes. Returns the wait status when the child ended.
std::optional<int> collect(pid_t child, file_descriptor &out, file_descriptor &err, const command &what,
                           clock::time_point end, command_result &result) {
  std::optional<int> status;
  while (clock::now() < end && (status || !what.may_continue || what.may_continue())) {
    // A grandchild may hold the pipes open after the child is gone, so neither the pipes nor the child alone tell.
    if (int now = 0; !status && ::waitpid(child, &now, WNOHANG) == child)
      status = now;
    if (!out.is_open() && !err.is_open() && status)
      return status;
    std::array<pollfd, 2> waiting{pollfd{out.get(), POLLIN, 0}, pollfd{err.get(), POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    const bool pipes_closed = !out.is_open() && !err.is_open();
    const int pause_ms = static_cast<int>(std::clamp<long long>(left, 0, pipes_closed ? 1 : 20));
    const int ready = ::poll(waiting.data(), waiting.size(), pause_ms);
    if (ready == 0 && status)
      return status; // the child is gone and what it wrote is read
    if (ready > 0) {
      if (waiting[0].revents != 0 && !drain(out, result.output, what.output_limit_bytes, result.is_truncated))
        out.reset();
      if (waiting[1].revents != 0 && !drain(err, result.errors, what.output_limit_bytes, result.is_truncated))
        err.reset();
    }
  }
  return status;
}

void record_end(command_result &result, int status) {
  if (WIFSIGNALED(status)) {
    result.end = command_end::signalled;
    result.signal = WTERMSIG(status);
  } else {
    result.end = command_end::exited;
    result.exit_code = WEXITSTATUS(status);
  }
}

} // namespace

std::string command_result::how_it_ended() const {
  switch (end) {
  case command_end::exited:
    return fmt::format("exited with {}", exit_code);
  case command_end::signalled:
    return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  case command_end::timed_out:
    return "did not end before its deadline and was killed";
  case command_end::abandoned:
    return "did not end before its deadline and cannot be killed (state D: it waits in the kernel)";
  case command_end::not_started:
    return fmt::format("could not be started: {}", std::strerror(start_error));
  }
  return {};
}

command_result run_command(const command &what) {
  const auto end = clock::now() + what.deadline;
  std::vector<std::string> arguments = what.arguments;
  std::vector<std::string> environment = what.environment.empty() ? default_environment() : what.environment;
  const std::vector<std::string> paths = candidates(arguments.at(0));
  const std::vector<char *> argument_pointers = pointers(arguments);
  const std::vector<char *> environment_pointers = pointers(environment);
  pipe_ends out = make_pipe(), err = make_pipe(), report = make_pipe();

  keep_wait_statuses();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw_errno("fork");
  if (child == 0)
    become(paths, argument_pointers.data(), environment_pointers.data(), out.write.get(), err.write.get(),
           report.write.get(), parent);
  ::setpgid(child, child); // also here: whoever comes first, the group exists before it may be killed
  out.write.reset();
  err.write.reset();
  report.write.reset();

  command_result result;
  std::optional<int> status = collect(child, out.read, err.read, what, end, result);
  ::kill(-child, SIGKILL); // the rest of the group, also after a regular end
  if (status) {
    record_end(result, *status);
  } else {
    status = reap_or_abandon(child);
    result.end = status ? command_end::timed_out : command_end::abandoned;
  }
  int error = 0;
  if (result.end == command_end::exited && read_some(report.read.get(), reinterpret_cast<char *>(&error), // NOLINT
                                                     sizeof error) == sizeof error) {
    result.end = command_end::not_started;
    result.start_error = error;
  }
  return result;
}

} // namespace gpucert
