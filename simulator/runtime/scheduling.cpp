// SPDX-License-Identifier: Apache-2.0
// Running what is in the streams, and counting its time.
#include "simulator/runtime/process.h"

#include <algorithm>

namespace gpucert::simulator {

cudaError_t process_state::enqueue(CUstream_st &stream, operation op) {
  op.submitted_us = host_us;
  if (stream.capture) {
    stream.capture->operations.push_back(std::move(op));
    return cudaSuccess;
  }
  // The legacy default stream waits for all blocking streams of its device, and they wait for it.
  simulated_device &device = *devices.at(static_cast<std::size_t>(stream.device));
  cudaError_t error = cudaSuccess;
  if (&stream == &device.default_stream) {
    error = drain_other_streams(device, stream);
  } else if (stream.waits_for_default) {
    error = drain(device.default_stream);
    stream.end_us = std::max(stream.end_us, device.default_stream.end_us);
  }
  stream.queue.push_back(std::move(op));
  return error;
}

cudaError_t process_state::drain_other_streams(simulated_device &device, const CUstream_st &except) {
  cudaError_t result = cudaSuccess;
  for (const auto &other : device.streams) {
    if (!other->waits_for_default || other.get() == &except || other->capture)
      continue;
    if (const cudaError_t error = drain(*other); error != cudaSuccess)
      result = error;
    device.default_stream.end_us = std::max(device.default_stream.end_us, other->end_us);
  }
  return result;
}

cudaError_t process_state::drain(CUstream_st &stream) {
  simulated_device &device = *devices.at(static_cast<std::size_t>(stream.device));
  cudaError_t result = cudaSuccess;
  while (!stream.queue.empty()) {
    operation op = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (device.sticky_error != cudaSuccess)
      continue; // nothing runs in a broken context
    if (const cudaError_t error = run(stream, op); error != cudaSuccess) {
      result = error;
      if (is_sticky(error))
        device.sticky_error = error;
    }
  }
  return device.sticky_error != cudaSuccess ? device.sticky_error : result;
}

cudaError_t process_state::run(CUstream_st &stream, operation &op) {
  double start_us = std::max(op.submitted_us, stream.end_us);
  if (op.wait) {
    // Its recording stands in a stream that has not been waited for; events of other devices too.
    for (const auto &device : devices) {
      if (op.wait->reached >= op.wait_for)
        break;
      if (&device->default_stream != &stream)
        drain(device->default_stream);
      for (const auto &other : device->streams)
        if (other.get() != &stream && op.wait->reached < op.wait_for)
          drain(*other);
    }
    start_us = std::max(start_us, op.wait->reached_us);
  }
  double *const part_free_us =
      op.part == device_part::none
          ? nullptr
          : &devices[static_cast<std::size_t>(stream.device)]->part_free_us[static_cast<std::size_t>(op.part)];
  if (part_free_us)
    start_us = std::max(start_us, *part_free_us);
  stream.end_us = start_us + op.duration_us;
  if (part_free_us)
    *part_free_us = stream.end_us;
  if (op.record) {
    ++op.record->reached;
    op.record->reached_us = stream.end_us;
  }
  return op.run ? op.run() : cudaSuccess;
}

cudaError_t process_state::wait_for(CUstream_st &stream) {
  const cudaError_t error = drain(stream);
  host_us = std::max(host_us, stream.end_us);
  return error;
}

cudaError_t process_state::wait_for(simulated_device &device) {
  cudaError_t result = wait_for(device.default_stream);
  for (const auto &stream : device.streams)
    if (const cudaError_t error = wait_for(*stream); error != cudaSuccess)
      result = error;
  return result;
}

} // namespace gpucert::simulator
