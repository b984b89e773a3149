// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/fiber.h"

#include "simulator/engine/address_sanitizer.h"

#include <new>
#include <sys/mman.h>

namespace gpucert::simulator {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t guard_bytes = 4096;
// Kernels keep their arrays in registers or shared memory; sanitized frames are several times larger.
constexpr std::size_t stack_bytes = (has_address_sanitizer ? 256 : 64) * std::size_t{1024};

fiber *running = nullptr;
context::fcontext_t scheduler = nullptr;
void *scheduler_fake_stack = nullptr;
const void *scheduler_stack = nullptr;
std::size_t scheduler_stack_bytes = 0;

} // namespace

fiber::fiber(body run) : run_(run) {
  void *mapped = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  mprotect(mapped, guard_bytes, PROT_NONE);
  stack_ = static_cast<char *>(mapped) + guard_bytes;
  restart();
}

fiber::~fiber() {
  unpoison_memory(stack_, stack_bytes);
  munmap(stack_ - guard_bytes, guard_bytes + stack_bytes);
}

void fiber::restart() {
  unpoison_memory(stack_, stack_bytes); // frames that were abandoned left their redzones
  fake_stack_ = nullptr;
  context_ = context::make_fcontext(stack_ + stack_bytes, stack_bytes, &fiber::start);
}

void fiber::start(context::transfer_t from) {
  scheduler = from.fctx;
  finish_switch(nullptr, &scheduler_stack, &scheduler_stack_bytes);
  running->run_();
}

void fiber::resume() {
  running = this;
  start_switch(&scheduler_fake_stack, stack_, stack_bytes);
  const context::transfer_t back = context::jump_fcontext(context_, nullptr);
  context_ = back.fctx;
  finish_switch(scheduler_fake_stack, nullptr, nullptr);
  running = nullptr;
}

void fiber::suspend() {
  fiber *const self = running;
  start_switch(&self->fake_stack_, scheduler_stack, scheduler_stack_bytes);
  const context::transfer_t back = context::jump_fcontext(scheduler, nullptr);
  scheduler = back.fctx;
  finish_switch(self->fake_stack_, &scheduler_stack, &scheduler_stack_bytes);
}

} // namespace gpucert::simulator
