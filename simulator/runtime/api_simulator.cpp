// SPDX-License-Identifier: Apache-2.0
// What the simulated libcudart exports besides CUDA: for twins, for the simulated cuBLAS, and for the suite's clock.
#include "simulator/runtime/api_simulator.h"

#include "simulator/engine/block_engine.h"
#include "simulator/runtime/kernel_registry.h"
#include "simulator/runtime/submission.h"

#include <cstdio>

using namespace gpucert;
using namespace gpucert::simulator;

extern "C" {

bool gpucert_simulator_register_kernel(const twin_kernel *kernel) {
  if (register_twin_kernel(*kernel))
    return true;
  std::fputs("gpucert simulator: a kernel of the twin has no dynamic symbol (is it static?)\n", stderr);
  return false;
}

int gpucert_simulator_sync_block(block_reduction kind, int predicate) {
  return block_engine::instance().sync_block(kind, predicate);
}

warp_exchange *gpucert_simulator_meet_warp(int operation, unsigned mask, const void *brought, std::size_t bytes) {
  return block_engine::instance().meet_warp(operation, mask, brought, bytes);
}

void gpucert_simulator_leave_warp(warp_exchange *meeting) { block_engine::instance().leave_warp(meeting); }

double gpucert_simulator_now_us(void) {
  process_state &process = process_state::instance();
  const std::lock_guard lock(process.mutex);
  return process.host_us += 0.02; // reading a clock takes 20 ns; a loop that waits for a time must end
}

void gpucert_simulator_announce_work(const work *announced) {
  process_state &process = process_state::instance();
  const std::lock_guard lock(process.mutex);
  process.announced.reset();
  if (announced)
    process.announced = *announced;
}

void gpucert_simulator_announce_case(const char *name) {
  process_state &process = process_state::instance();
  const std::lock_guard lock(process.mutex);
  process.announced_case = name ? name : "";
}

int gpucert_simulator_submit(cudaStream_t stream, const work *done, computation *run, void *argument,
                             void (*destroy)(void *)) {
  const std::shared_ptr<void> owned(argument, destroy);
  return call_device([&](process_state &process) {
    return submit_computation(process, process.stream_of(stream), process.costs.kernel_us(*done),
                              [run, owned] { return run(owned.get()) == 0 ? cudaSuccess : cudaErrorIllegalAddress; });
  });
}

bool gpucert_simulator_is_readable(const void *address, std::size_t bytes) {
  const process_state &process = process_state::instance();
  const auto device = process.device_of(address);
  return device ? process.devices[static_cast<std::size_t>(*device)]->memory.holds(address, bytes)
                : process.is_pinned(address);
}

long long gpucert_simulator_count_gemm(void) { return ++process_state::instance().gemms; }

const simulation *gpucert_simulator_what(void) { return &process_state::instance().what; }

} // extern "C"
