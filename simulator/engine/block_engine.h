// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of a launch one after another, and the threads of a block as fibers.
#pragma once

#include "simulator/engine/fiber.h"
#include "simulator/engine/thread_order.h"
#include "simulator/twin_abi.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpucert::simulator {

struct launch_failure {
  cudaError_t code;
  std::string text;
};

struct launch_request {
  const twin_kernel *kernel = nullptr;
  void *const *arguments = nullptr;
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

/// One per process: the fibers call back without an argument. Not for several OS threads at once.
class block_engine {
public:
  static block_engine &instance();

  void set_order(const thread_order &order) { order_ = order; }

  /// Runs all blocks. A failure ends the launch where it is; what was written stays written, as on a GPU.
  std::optional<launch_failure> run(const launch_request &request);

  // Called by a thread of the running kernel.
  int sync_block(block_reduction kind, int predicate);
  warp_exchange *meet_warp(int operation, unsigned mask, const void *brought, std::size_t bytes);
  void leave_warp(warp_exchange *exchange);

private:
  enum class thread_state { not_started, running, runnable, at_barrier, at_warp, done };

  struct thread_record {
    kernel_thread who;
    thread_state state;
    fiber *on;
  };
  struct meeting : warp_exchange {
    int operation = 0;
    unsigned mask = 0;
    unsigned arrived = 0;
    unsigned to_leave = 0;
  };

  block_engine() = default;
  static void fiber_body();
  void run_block(uint3 block_index);
  void start_threads(std::size_t until);
  void run_warp(unsigned warp);
  bool run_one_round();
  bool run_one_warp();
  void settle_barrier();
  void release_barrier();
  void resume(std::size_t thread);
  void wait_as(thread_state state);
  void make_runnable(std::size_t thread);
  void fail(cudaError_t code, std::string text);
  void abandon();
  fiber *take_fiber();
  meeting *find_meeting(unsigned warp, int operation, unsigned mask, unsigned lane);
  std::string where() const;

  thread_order order_;
  random_sequence random_{0};
  const launch_request *request_ = nullptr;
  std::optional<launch_failure> failure_;

  std::vector<thread_record> threads_;
  std::vector<std::size_t> start_order_;
  std::size_t next_start_ = 0;  // into start_order_
  std::size_t start_limit_ = 0; // the running fiber starts threads up to here
  std::size_t current_ = 0;     // the running thread
  std::vector<std::size_t> runnable_;
  std::size_t done_ = 0;
  std::size_t at_barrier_ = 0;
  int predicates_ = 0;          // that were true at this barrier
  int barrier_results_[3] = {}; // of the last barrier, by block_reduction

  std::vector<std::unique_ptr<fiber>> fibers_;
  std::vector<fiber *> idle_fibers_;
  std::vector<std::vector<meeting *>> open_meetings_; // by warp
  std::vector<std::unique_ptr<meeting>> meetings_;
  std::vector<meeting *> free_meetings_;
};

} // namespace gpucert::simulator
