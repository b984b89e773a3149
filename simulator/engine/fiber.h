// SPDX-License-Identifier: Apache-2.0
// A stack of its own for each thread of a block. Boost's fcontext, since ucontext makes two system calls per switch
// (measured: 1913 ns against 10 ns).
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace gpucert::simulator {

/// One fiber. All fibers of the process run on one scheduler at a time.
class fiber {
public:
  /// `body` must not return: it suspends for ever when it has nothing more to do.
  using body = void (*)();

  explicit fiber(body run);
  ~fiber();
  fiber(const fiber &) = delete;
  fiber &operator=(const fiber &) = delete;

  /// Runs the fiber until it suspends. Called by the scheduler.
  void resume();
  /// Back to the scheduler. Called inside the running fiber.
  static void suspend();
  /// Forgets where the fiber was suspended: the next resume begins its body again. What was on its stack is not
  /// destroyed, which kernels do not need.
  void restart();

private:
  static void start(boost::context::detail::transfer_t from);

  body run_;
  char *stack_ = nullptr; // above a guard page
  boost::context::detail::fcontext_t context_ = nullptr;
  void *fake_stack_ = nullptr; // AddressSanitizer's
};

} // namespace gpucert::simulator
