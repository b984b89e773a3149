// SPDX-License-Identifier: Apache-2.0
// Copies and fills.
#include "simulator/runtime/process.h"

#include <cstring>

namespace gpucert::simulator {
namespace {

struct copy_request {
  void *to;
  const void *from;
  std::size_t bytes;
  bool to_device;
  bool from_device;
};

bool is_device_range(const process_state &process, const void *start, std::size_t bytes) {
  const auto device = process.device_of(start);
  return device && process.devices[static_cast<std::size_t>(*device)]->memory.holds(start, bytes);
}

/// Nothing when the kind and the addresses do not fit together.
std::optional<copy_request> resolve(const process_state &process, void *to, const void *from, std::size_t bytes,
                                    cudaMemcpyKind kind) {
  copy_request copy{to, from, bytes, process.device_of(to).has_value(), process.device_of(from).has_value()};
  const bool wants_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool wants_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault) {
    if (!wants_to_device && copy.to_device)
      return std::nullopt;
    if (!wants_from_device && copy.from_device)
      return std::nullopt;
    if (wants_to_device && !copy.to_device && !process.is_pinned(to))
      return std::nullopt;
    if (wants_from_device && !copy.from_device && !process.is_pinned(from))
      return std::nullopt;
  }
  if ((copy.to_device && !is_device_range(process, to, bytes)) ||
      (copy.from_device && !is_device_range(process, from, bytes)))
    return std::nullopt;
  return copy;
}

bool is_pinned_copy(const process_state &process, const copy_request &copy) {
  return (copy.to_device || process.is_pinned(copy.to)) && (copy.from_device || process.is_pinned(copy.from));
}

/// The announced bytes stand for a copy in their direction (the full shape of a case that runs a tiny one).
double link_bytes(const process_state &process, const copy_request &copy) {
  const copy_path path = copy.to_device ? copy_path::host_to_device : copy_path::device_to_host;
  const bool is_announced = process.announced && process.announced->path == path;
  return is_announced ? process.announced->copied_bytes : static_cast<double>(copy.bytes);
}

operation timed_copy(process_state &process, const copy_request &copy) {
  operation op;
  if (copy.to_device == copy.from_device) {
    op.part = copy.to_device ? device_part::compute : device_part::none;
    op.duration_us = process.costs.device_copy_us(static_cast<double>(copy.bytes));
  } else {
    op.part = copy.to_device ? device_part::copy_to_device : device_part::copy_to_host;
    op.duration_us = process.costs.link_copy_us(link_bytes(process, copy), is_pinned_copy(process, copy));
  }
  return op;
}

/// The fault copy-bit-flip: one bit in the middle of what arrived.
void flip_bit_if_due(process_state &process, const copy_request &copy) {
  const fault *flip = process.what.faults.find(fault_name::copy_bit_flip);
  if (copy.to_device || !copy.from_device || ++process.copies_to_host != (flip ? *flip->number : 0) || copy.bytes == 0)
    return;
  static_cast<unsigned char *>(copy.to)[copy.bytes / 2] ^= 0x10U;
}

cudaError_t submit_copy(process_state &process, CUstream_st &stream, void *to, const void *from, std::size_t bytes,
                        cudaMemcpyKind kind, bool must_wait) {
  if (bytes == 0)
    return cudaSuccess;
  const auto copy = resolve(process, to, from, bytes, kind);
  if (!copy)
    return cudaErrorInvalidValue;
  process.host_us += copy_submission_us;
  operation op = timed_copy(process, *copy);
  op.run = [&process, copy = *copy]() -> cudaError_t {
    std::memmove(copy.to, copy.from, copy.bytes);
    flip_bit_if_due(process, copy);
    return cudaSuccess;
  };
  if (const cudaError_t error = process.enqueue(stream, std::move(op)); error != cudaSuccess)
    return error;
  // A copy from or to pageable memory is staged, and the call returns when that is done.
  const bool is_staged = copy->to_device != copy->from_device && !is_pinned_copy(process, *copy);
  return (must_wait || is_staged) && !stream.capture ? process.wait_for(stream) : cudaSuccess;
}

cudaError_t submit_fill(process_state &process, CUstream_st &stream, void *start, int value, std::size_t bytes) {
  if (bytes == 0)
    return cudaSuccess;
  if (!is_device_range(process, start, bytes))
    return cudaErrorInvalidValue;
  process.host_us += copy_submission_us;
  operation op;
  op.part = device_part::compute;
  op.duration_us = process.costs.fill_us(static_cast<double>(bytes));
  op.run = [=]() -> cudaError_t {
    std::memset(start, value, bytes);
    return cudaSuccess;
  };
  return process.enqueue(stream, std::move(op));
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  return call_device([&](process_state &process) {
    return submit_copy(process, process.stream_of(nullptr), to, from, bytes, kind, kind != cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_device([&](process_state &process) {
    return submit_copy(process, process.stream_of(stream), to, from, bytes, kind, false);
  });
}

cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void *start, int value, std::size_t bytes) {
  return call_device(
      [&](process_state &process) { return submit_fill(process, process.stream_of(nullptr), start, value, bytes); });
}

cudaError_t cudaMemsetAsync(void *start, int value, std::size_t bytes, cudaStream_t stream) {
  return call_device(
      [&](process_state &process) { return submit_fill(process, process.stream_of(stream), start, value, bytes); });
}

} // extern "C"
