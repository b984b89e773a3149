// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/block_engine.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

namespace gpucert::simulator {
namespace {

constexpr unsigned char fresh_byte = 0xa5; // shared memory starts with garbage
constexpr std::size_t shared_alignment = 128;

struct aligned_delete {
  void operator()(unsigned char *memory) const { ::operator delete[](memory, std::align_val_t{shared_alignment}); }
};

} // namespace

block_engine &block_engine::instance() {
  static auto *engine = new block_engine; // never destroyed: a program may still launch in its own destructors
  return *engine;
}

std::optional<launch_failure> block_engine::run(const launch_request &request) {
  request_ = &request;
  failure_.reset();
  random_ = random_sequence(order_.seed);
  const dim3 grid = request.grid;
  const dim3 block = request.block;
  const std::size_t count = std::size_t{block.x} * block.y * block.z;
  threads_.resize(count);
  start_order_.resize(count);
  open_meetings_.resize((count + lanes_per_warp - 1) / lanes_per_warp);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<unsigned>(i);
    threads_[i].who = {{at % block.x, at / block.x % block.y, at / block.x / block.y},
                       {},
                       block,
                       grid,
                       at % lanes_per_warp,
                       at / lanes_per_warp};
  }
  // Exactly as large as was asked for, so that AddressSanitizer sees the first byte beyond it.
  const std::unique_ptr<unsigned char, aligned_delete> shared(static_cast<unsigned char *>(
      ::operator new[](std::max<std::size_t>(request.shared_bytes, 1), std::align_val_t{shared_alignment})));
  *request.kernel->dynamic_shared = shared.get();

  const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
  std::vector<std::size_t> block_order;
  if (order_.kind != order_kind::ascending) {
    block_order.resize(blocks);
    std::iota(block_order.begin(), block_order.end(), std::size_t{0});
    random_.shuffle(block_order);
  }
  for (std::size_t i = 0; i < blocks && !failure_; ++i) {
    const std::size_t at = block_order.empty() ? i : block_order[i];
    std::memset(shared.get(), fresh_byte, request.shared_bytes);
    run_block({static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
               static_cast<unsigned>(at / grid.x / grid.y)});
  }
  *request.kernel->dynamic_shared = nullptr;
  *request.kernel->current = nullptr;
  if (failure_)
    abandon();
  return failure_;
}

void block_engine::run_block(uint3 block_index) {
  for (thread_record &thread : threads_) {
    thread.who.block_index = block_index;
    thread.state = thread_state::not_started;
    thread.on = nullptr;
  }
  std::iota(start_order_.begin(), start_order_.end(), std::size_t{0});
  if (order_.kind == order_kind::fair)
    random_.shuffle(start_order_);
  next_start_ = done_ = at_barrier_ = 0;
  predicates_ = 0;
  runnable_.clear();
  while (done_ < threads_.size() && !failure_) {
    const bool went_on = order_.kind == order_kind::unfair ? run_one_warp() : run_one_round();
    if (!went_on && !failure_)
      settle_barrier();
  }
}

bool block_engine::run_one_round() {
  if (next_start_ < threads_.size()) {
    start_threads(threads_.size());
    return true;
  }
  if (runnable_.empty())
    return false;
  std::vector<std::size_t> round;
  round.swap(runnable_);
  if (order_.kind == order_kind::fair)
    random_.shuffle(round);
  for (const std::size_t thread : round) {
    if (failure_)
      break;
    resume(thread);
  }
  return true;
}

/// Unfair: the warps that could run draw lots, and the winner runs until each of its lanes waits for others.
bool block_engine::run_one_warp() {
  std::vector<unsigned> able;
  const auto warps = static_cast<unsigned>(open_meetings_.size());
  for (unsigned warp = 0; warp < warps; ++warp) {
    const std::size_t first = std::size_t{warp} * lanes_per_warp;
    const std::size_t last = std::min(first + lanes_per_warp, threads_.size());
    for (std::size_t i = first; i < last; ++i)
      if (threads_[i].state == thread_state::not_started || threads_[i].state == thread_state::runnable) {
        able.push_back(warp);
        break;
      }
  }
  if (able.empty())
    return false;
  run_warp(able[random_.below(able.size())]);
  return true;
}

void block_engine::run_warp(unsigned warp) {
  const std::size_t first = std::size_t{warp} * lanes_per_warp;
  const std::size_t last = std::min(first + lanes_per_warp, threads_.size());
  if (threads_[first].state == thread_state::not_started) { // whole warps start together
    start_order_.resize(last - first);
    std::iota(start_order_.begin(), start_order_.end(), first);
    random_.shuffle(start_order_);
    next_start_ = 0;
    start_threads(start_order_.size());
  }
  while (!failure_) {
    std::vector<std::size_t> own;
    const auto others = std::stable_partition(runnable_.begin(), runnable_.end(),
                                              [&](std::size_t i) { return i < first || i >= last; });
    own.assign(others, runnable_.end());
    runnable_.erase(others, runnable_.end());
    if (own.empty())
      break;
    random_.shuffle(own);
    for (const std::size_t thread : own)
      if (!failure_)
        resume(thread);
  }
  start_order_.resize(threads_.size());
}

void block_engine::start_threads(std::size_t until) {
  start_limit_ = until;
  while (next_start_ < start_limit_ && !failure_)
    take_fiber()->resume();
}

/// A fiber whose thread ended without waiting starts the next thread itself, so that kernels without barriers pay for
/// no switches.
void block_engine::fiber_body() {
  block_engine &engine = instance();
  for (;;) {
    fiber *const self = engine.idle_fibers_.back(); // taken by take_fiber
    engine.idle_fibers_.pop_back();
    bool waited = false;
    while (!waited && engine.next_start_ < engine.start_limit_ && !engine.failure_) {
      const std::size_t thread = engine.start_order_[engine.next_start_++];
      thread_record &record = engine.threads_[thread];
      record.on = self;
      record.state = thread_state::running;
      engine.current_ = thread;
      *engine.request_->kernel->current = &record.who;
      engine.request_->kernel->invoke(engine.request_->kernel->function, engine.request_->arguments);
      waited = record.on == nullptr; // resume() took the mark away: others have been started meanwhile
      engine.threads_[thread].state = thread_state::done;
      ++engine.done_;
    }
    engine.idle_fibers_.push_back(self);
    fiber::suspend();
  }
}

fiber *block_engine::take_fiber() {
  if (idle_fibers_.empty()) {
    fibers_.push_back(std::make_unique<fiber>(&block_engine::fiber_body));
    idle_fibers_.push_back(fibers_.back().get());
  }
  return idle_fibers_.back();
}

void block_engine::resume(std::size_t thread) {
  thread_record &record = threads_[thread];
  record.state = thread_state::running;
  current_ = thread;
  *request_->kernel->current = &record.who;
  fiber *const on = record.on;
  record.on = nullptr;
  on->resume();
  if (record.state != thread_state::done)
    record.on = on;
}

void block_engine::wait_as(thread_state state) {
  threads_[current_].state = state;
  fiber::suspend();
  while (failure_) // a thread of a failed launch never goes on
    fiber::suspend();
}

void block_engine::make_runnable(std::size_t thread) {
  threads_[thread].state = thread_state::runnable;
  runnable_.push_back(thread);
}

void block_engine::fail(cudaError_t code, std::string text) {
  if (!failure_)
    failure_ = launch_failure{code, std::move(text)};
}

/// Forgets the threads that still wait somewhere.
void block_engine::abandon() {
  idle_fibers_.clear();
  for (const auto &each : fibers_) {
    each->restart();
    idle_fibers_.push_back(each.get());
  }
  for (auto &open : open_meetings_)
    open.clear();
  free_meetings_.clear();
  for (const auto &each : meetings_)
    free_meetings_.push_back(each.get());
}

std::string block_engine::where() const {
  const uint3 block = threads_.front().who.block_index;
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " + std::to_string(block.z) + "): ";
}

} // namespace gpucert::simulator
