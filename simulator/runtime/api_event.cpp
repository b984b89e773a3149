// SPDX-License-Identifier: Apache-2.0
// Events on the virtual clock.
#include "simulator/runtime/process.h"

#include <algorithm>

namespace gpucert::simulator {
namespace {

/// Runs streams until the event's last recording is reached.
cudaError_t reach(process_state &process, const CUevent_st &event) {
  cudaError_t result = cudaSuccess;
  for (const auto &device : process.devices) {
    if (event.reached < event.recorded)
      result = std::max(result, process.drain(device->default_stream));
    for (const auto &stream : device->streams)
      if (event.reached < event.recorded)
        result = std::max(result, process.drain(*stream));
  }
  return result;
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call_device([&](process_state &) -> cudaError_t {
    *event = new CUevent_st;
    (*event)->device = current_device();
    (*event)->has_timing = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    for (const auto &device : process.devices) { // streams may hold recordings of it and waits for it
      process.drain(device->default_stream);
      for (const auto &stream : device->streams)
        process.drain(*stream);
    }
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    process.host_us += short_call_us;
    CUstream_st &into = process.stream_of(stream);
    if (!into.capture)
      ++event->recorded;
    operation op;
    op.record = event;
    return process.enqueue(into, std::move(op));
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    const cudaError_t error = reach(process, *event);
    process.host_us = std::max(process.host_us, event->reached_us);
    return error;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = reach(process, *event); error != cudaSuccess)
      return error;
    if (event->reached_us <= process.host_us)
      return cudaSuccess;
    process.host_us += 1.0; // a poll takes its time
    return cudaErrorNotReady;
  });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return call_device([&](process_state &process) -> cudaError_t {
    if (!from || !to || !from->has_timing || !to->has_timing || from->recorded == 0 || to->recorded == 0)
      return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t event : {from, to})
      if (const cudaError_t error = reach(process, *event); error != cudaSuccess)
        return error;
    if (std::max(from->reached_us, to->reached_us) > process.host_us)
      return cudaErrorNotReady;
    *milliseconds = static_cast<float>((to->reached_us - from->reached_us) * 1e-3);
    return cudaSuccess;
  });
}

} // extern "C"
