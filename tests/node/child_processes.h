// SPDX-License-Identifier: Apache-2.0
// Looking at processes from outside, for tests of their life and death.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace gpucert {

/// The state letter of /proc/PID/stat; 'X' when there is no such process any more.
inline char state_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  const auto close = text.rfind(')'); // the name before it may hold anything
  return close == text.npos || text.size() < close + 3 ? 'X' : text[close + 2];
}

/// A zombie does nothing any more; who reaps it depends on the machine.
inline bool is_alive(pid_t process) {
  const char state = state_of(process);
  return state != 'X' && state != 'Z';
}

/// Waits for something that happens soon in another process; false after five seconds.
template <class Condition> bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// The children of this process, as the kernel lists them.
inline std::vector<pid_t> children() {
  std::ifstream file("/proc/thread-self/children");
  std::vector<pid_t> list;
  for (pid_t child = 0; file >> child;)
    list.push_back(child);
  return list;
}

/// Whether this kernel lists children at all (CONFIG_PROC_CHILDREN).
inline bool can_list_children() { return std::ifstream("/proc/thread-self/children").is_open(); }

} // namespace gpucert
