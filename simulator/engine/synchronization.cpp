// SPDX-License-Identifier: Apache-2.0
// Where the threads of a block wait for each other: the barrier of the block and the meetings of a warp.
#include "simulator/engine/block_engine.h"

#include <algorithm>
#include <cstring>

namespace gpucert::simulator {

int block_engine::sync_block(block_reduction kind, int predicate) {
  predicates_ += predicate != 0;
  ++at_barrier_;
  wait_as(thread_state::at_barrier);
  return barrier_results_[static_cast<int>(kind)];
}

/// Nothing can run: either all threads stand at the barrier, or they will wait for ever.
void block_engine::settle_barrier() {
  const std::size_t count = threads_.size();
  if (at_barrier_ == count)
    return release_barrier();
  const auto at_warp = std::count_if(threads_.begin(), threads_.end(),
                                     [](const thread_record &thread) { return thread.state == thread_state::at_warp; });
  if (at_barrier_ + done_ == count)
    fail(cudaErrorLaunchFailure, where() + "__syncthreads() reached by " + std::to_string(at_barrier_) + " of " +
                                     std::to_string(count) + " threads; the others have ended");
  else
    fail(cudaErrorLaunchFailure, where() + "deadlock: " + std::to_string(at_barrier_) +
                                     " threads wait at __syncthreads(), " + std::to_string(at_warp) +
                                     " in a warp operation, " + std::to_string(done_) + " have ended");
}

void block_engine::release_barrier() {
  barrier_results_[static_cast<int>(block_reduction::count)] = predicates_;
  barrier_results_[static_cast<int>(block_reduction::all)] = predicates_ == static_cast<int>(threads_.size());
  barrier_results_[static_cast<int>(block_reduction::any)] = predicates_ > 0;
  predicates_ = 0;
  at_barrier_ = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i)
    make_runnable(i);
}

block_engine::meeting *block_engine::find_meeting(unsigned warp, int operation, unsigned mask, unsigned lane) {
  for (meeting *open : open_meetings_[warp])
    if (open->operation == operation && open->mask == mask && (open->arrived >> lane & 1U) == 0)
      return open;
  if (free_meetings_.empty()) {
    meetings_.push_back(std::make_unique<meeting>());
    free_meetings_.push_back(meetings_.back().get());
  }
  meeting *const opened = free_meetings_.back();
  free_meetings_.pop_back();
  opened->operation = operation;
  opened->mask = mask;
  opened->arrived = 0;
  opened->to_leave = static_cast<unsigned>(__builtin_popcount(mask));
  open_meetings_[warp].push_back(opened);
  return opened;
}

warp_exchange *block_engine::meet_warp(int operation, unsigned mask, const void *brought, std::size_t bytes) {
  const kernel_thread who = threads_[current_].who;
  const std::size_t first = std::size_t{who.warp} * lanes_per_warp;
  const std::size_t lanes = std::min<std::size_t>(lanes_per_warp, threads_.size() - first);
  if (lanes < lanes_per_warp)
    mask &= (1U << lanes) - 1; // lanes that the block does not have are ignored by hardware
  if ((mask >> who.lane & 1U) == 0) {
    fail(cudaErrorLaunchFailure, where() + "a lane calls a warp operation whose mask leaves it out");
    wait_as(thread_state::at_warp);
  }
  meeting *const joined = find_meeting(who.warp, operation, mask, who.lane);
  joined->arrived |= 1U << who.lane;
  if (bytes > 0)
    std::memcpy(joined->brought[who.lane], brought, bytes);
  if (joined->arrived != mask) {
    wait_as(thread_state::at_warp);
    return joined;
  }
  auto &open = open_meetings_[who.warp];
  open.erase(std::find(open.begin(), open.end(), joined));
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    if ((mask >> lane & 1U) != 0 && lane != who.lane)
      make_runnable(first + lane);
  return joined;
}

void block_engine::leave_warp(warp_exchange *exchange) {
  auto *const left = static_cast<meeting *>(exchange);
  if (--left->to_leave == 0)
    free_meetings_.push_back(left);
}

} // namespace gpucert::simulator
