// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/submission.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace gpucert::simulator {
namespace {

double duration_us(process_state &process, double usual_us) {
  if (!process.announced || (process.announced->memory_bytes <= 0 && process.announced->operations <= 0))
    return usual_us;
  return process.costs.kernel_us(*process.announced);
}

[[noreturn]] void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  std::abort();
}

/// The faults that a launch can have, when it is its turn to run.
cudaError_t suffer_faults(process_state &process, const std::string &case_at_submission) {
  const fault_list &faults = process.what.faults;
  ++process.launches;
  if (const fault *found = faults.find(fault_name::crash))
    if (found->number ? *found->number == process.launches : found->text == case_at_submission)
      crash();
  if (const fault *found = faults.find(fault_name::hang))
    while (*found->number == process.launches)
      pause();
  if (const fault *found = faults.find(fault_name::launch_error); found && *found->number == process.launches)
    return static_cast<cudaError_t>(*found->second_number);
  return cudaSuccess;
}

} // namespace

cudaError_t submit_computation(process_state &process, CUstream_st &stream, double usual_us,
                               std::function<cudaError_t()> run) {
  process.host_us += launch_submission_us;
  operation op;
  op.part = device_part::compute;
  op.duration_us = duration_us(process, usual_us);
  op.run = [&process, run = std::move(run), running_case = process.announced_case]() -> cudaError_t {
    if (const cudaError_t error = suffer_faults(process, running_case); error != cudaSuccess)
      return error;
    return run();
  };
  return process.enqueue(stream, std::move(op));
}

} // namespace gpucert::simulator
