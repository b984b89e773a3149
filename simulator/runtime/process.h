// SPDX-License-Identifier: Apache-2.0
// The state of the simulated CUDA runtime in this process.
#pragma once

#include "simulator/runtime/cost_model.h"
#include "simulator/runtime/device_memory.h"
#include "simulator/runtime/stream.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpucert::simulator {

struct simulated_device {
  explicit simulated_device(const profile &gpu) : memory(static_cast<std::size_t>(gpu.memory_bytes)) {}

  device_memory memory;
  bool has_context = false;
  cudaError_t sticky_error = cudaSuccess; // of a kernel that broke the context
  CUstream_st default_stream;
  std::vector<std::unique_ptr<CUstream_st>> streams;
  double part_free_us[3] = {}; // by device_part
};

class process_state {
public:
  static process_state &instance();

  std::recursive_mutex mutex;
  const simulation &what;
  cost_model costs;
  double host_us = 1e6; // not 0, which is taken for "never"
  std::vector<std::unique_ptr<simulated_device>> devices;
  std::map<const std::byte *, std::size_t> pinned; // host memory by its start
  std::optional<work> announced;                   // charged instead of what the launches and copies show
  std::string announced_case;
  long long launches = 0; // that have begun to run
  long long copies_to_host = 0;
  long long allocations = 0;
  long long gemms = 0;

  /// Why CUDA cannot be used on this node, if it cannot.
  cudaError_t driver_status();
  cudaError_t open_context(int device);

  simulated_device &current();
  CUstream_st &stream_of(cudaStream_t handle);

  /// Puts an operation into the stream (or into the graph that captures it).
  cudaError_t enqueue(CUstream_st &stream, operation op);
  cudaError_t drain(CUstream_st &stream);
  /// All streams of the device; the host waits until they are done.
  cudaError_t wait_for(simulated_device &device);
  cudaError_t wait_for(CUstream_st &stream);

  /// The device whose memory holds the address.
  std::optional<int> device_of(const void *address) const;
  bool is_pinned(const void *address) const;

private:
  process_state();
  cudaError_t run(CUstream_st &stream, operation &op);
  cudaError_t drain_other_streams(simulated_device &device, const CUstream_st &except);

  int system_tries_ = 0;
};

/// The device of the calling thread.
int &current_device();
/// The last error of the calling thread; cleared by cudaGetLastError.
cudaError_t &last_error();

/// Errors after which the context is unusable (the runtime's manual says so of each).
bool is_sticky(cudaError_t code);

inline cudaError_t remember(cudaError_t code) {
  if (code != cudaSuccess)
    last_error() = code;
  return code;
}

/// A call that needs no context: `call(process_state &)` under the lock.
template <class Call> cudaError_t call_runtime(Call call) {
  process_state &process = process_state::instance();
  const std::lock_guard lock(process.mutex);
  process.host_us += short_call_us;
  return remember(call(process));
}

/// A call that creates the context of the current device where there is none.
template <class Call> cudaError_t call_device(Call call) {
  return call_runtime([&](process_state &process) -> cudaError_t {
    if (const cudaError_t error = process.open_context(current_device()); error != cudaSuccess)
      return error;
    if (const cudaError_t error = process.current().sticky_error; error != cudaSuccess)
      return error;
    return call(process);
  });
}

} // namespace gpucert::simulator
