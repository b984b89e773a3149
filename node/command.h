// SPDX-License-Identifier: Apache-2.0
// Runs a program with a deadline. The only place where gpucert starts one.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpucert {

/// A program and its arguments. Never a shell line: what comes from the node is data.
struct command {
  std::vector<std::string> arguments; // [0] is the program, a path or a name looked up in command_path
  /// Replaces the environment when not empty; otherwise a minimal one (PATH, LC_ALL=C.UTF-8) is given, so that
  /// output is not localised and LD_LIBRARY_PATH and LD_PRELOAD of the caller do not reach the child.
  std::vector<std::string> environment;
  std::chrono::milliseconds deadline{5000};
  std::size_t output_limit_bytes = std::size_t{16} << 20;
  /// Asked about every 20 ms while it runs; false ends it as its deadline would. For deadlines of parts of the work.
  std::function<bool()> may_continue = {};
};

enum class command_end {
  exited,      // exit_code is valid
  signalled,   // signal is valid
  timed_out,   // killed at the deadline, and gone
  abandoned,   // killed at the deadline, and still there: state D in the kernel
  not_started, // the program does not exist or cannot be executed: see start_error
};

struct command_result {
  command_end end = command_end::not_started;
  int exit_code = 0;
  int signal = 0;
  int start_error = 0; // errno of exec
  std::string output;  // standard output
  std::string errors;  // standard error
  bool is_truncated = false;

  bool succeeded() const { return end == command_end::exited && exit_code == 0; }
  /// "exited with 3", "killed by signal 11", "timed out", ...: for a message.
  std::string how_it_ended() const;
};

/// Where programs are looked up; the caller's PATH is not trusted to hold sbin.
inline constexpr const char *command_path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a command to its end or to its deadline. The child has its own process group, which is killed as a whole,
/// no standard input, and dies with us. Returns at most kill_grace after the deadline. Output over the limit is
/// dropped and marked. Throws std::system_error only when the system has no process or descriptor left.
command_result run_command(const command &what);

} // namespace gpucert
