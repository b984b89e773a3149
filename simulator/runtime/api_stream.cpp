// SPDX-License-Identifier: Apache-2.0
// Streams and the graphs that are captured from them.
#include "simulator/runtime/process.h"

#include <algorithm>

namespace gpucert::simulator {
namespace {

constexpr double query_us = 1.0; // how much time a host that polls loses per poll

cudaError_t create(process_state &process, cudaStream_t *stream, unsigned flags) {
  process.host_us += allocation_us;
  auto made = std::make_unique<CUstream_st>();
  made->device = current_device();
  made->waits_for_default = (flags & cudaStreamNonBlocking) == 0;
  *stream = made.get();
  process.current().streams.push_back(std::move(made));
  return cudaSuccess;
}

cudaError_t destroy(process_state &process, cudaStream_t stream) {
  for (const auto &device : process.devices) {
    auto &streams = device->streams;
    const auto found =
        std::find_if(streams.begin(), streams.end(), [&](const auto &each) { return each.get() == stream; });
    if (found == streams.end())
      continue;
    const cudaError_t error = process.drain(*stream);
    streams.erase(found);
    return error;
  }
  return cudaErrorInvalidResourceHandle;
}

cudaError_t query(process_state &process, CUstream_st &stream) {
  if (stream.capture)
    return cudaErrorStreamCaptureUnsupported;
  if (const cudaError_t error = process.drain(stream); error != cudaSuccess)
    return error;
  if (stream.end_us <= process.host_us)
    return cudaSuccess;
  process.host_us += query_us;
  return cudaErrorNotReady;
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return call_device([&](process_state &process) { return create(process, stream, flags); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call_device([&](process_state &process) { return destroy(process, stream); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call_device([&](process_state &process) -> cudaError_t {
    CUstream_st &stream = process.stream_of(handle);
    return stream.capture ? cudaErrorStreamCaptureUnsupported : process.wait_for(stream);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call_device([&](process_state &process) { return query(process, process.stream_of(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call_device([&](process_state &process) -> cudaError_t {
    operation op;
    op.wait = event;
    op.wait_for = event->recorded;
    return process.enqueue(process.stream_of(stream), std::move(op));
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument) {
  return call_device([&](process_state &process) -> cudaError_t {
    operation op;
    op.run = [=]() -> cudaError_t {
      function(argument);
      return cudaSuccess;
    };
    return process.enqueue(process.stream_of(stream), std::move(op));
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  return call_device([&](process_state &process) -> cudaError_t {
    CUstream_st &stream = process.stream_of(handle);
    if (&stream == &process.current().default_stream)
      return cudaErrorStreamCaptureUnsupported;
    if (stream.capture)
      return cudaErrorIllegalState;
    stream.capture = std::make_unique<CUgraph_st>();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
  return call_device([&](process_state &process) -> cudaError_t {
    CUstream_st &stream = process.stream_of(handle);
    if (!stream.capture)
      return cudaErrorIllegalState;
    *graph = stream.capture.release();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return call_device([&](process_state &process) -> cudaError_t {
    *status = process.stream_of(stream).capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t) {
#endif
  return call_device([&](process_state &) -> cudaError_t {
    *executable = new CUgraphExec_st{graph->operations};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call_device([&](process_state &process) -> cudaError_t {
    process.host_us += launch_submission_us;
    for (const operation &op : executable->operations)
      if (const cudaError_t error = process.enqueue(process.stream_of(stream), op); error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}

} // extern "C"
