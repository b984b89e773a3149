// SPDX-License-Identifier: Apache-2.0
#include "node/child_process.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gpucert {

void die_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died between fork and prctl, and then no signal comes.
  if (::getppid() != parent)
    ::_exit(1);
}

void keep_wait_statuses() {
  struct sigaction now {};
  if (::sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN)
    ::signal(SIGCHLD, SIG_DFL);
}

std::optional<int> reap_or_abandon(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + kill_grace;
  for (;;) {
    int status = 0;
    const pid_t reaped = ::waitpid(child, &status, WNOHANG);
    if (reaped == child)
      return status;
    if (reaped < 0 || std::chrono::steady_clock::now() >= end)
      return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace gpucert
