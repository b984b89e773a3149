// SPDX-License-Identifier: Apache-2.0
// The life of a child process: it never outlives us, and we never wait for one that cannot be killed.
#pragma once

#include <chrono>
#include <optional>
#include <sys/types.h>

namespace gpucert {

/// Called in the child, right after fork: the kernel kills it when the parent dies, kill -9 included.
void die_with_parent(pid_t parent);

/// Called before fork: some supervisors start us with SIGCHLD ignored, and then the kernel reaps children itself and
/// wait(2) never tells how they ended.
void keep_wait_statuses();

/// How long a killed child may take to go away. One that needs longer sits in the kernel (state D).
inline constexpr std::chrono::milliseconds kill_grace{500};

/// Waits up to kill_grace for a child that was sent SIGKILL. Returns its wait status, or nothing when it is still
/// there and is abandoned: init reaps it when the kernel lets go.
std::optional<int> reap_or_abandon(pid_t child);

} // namespace gpucert
