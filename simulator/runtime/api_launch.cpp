// SPDX-License-Identifier: Apache-2.0
// Launching kernels: cudaLaunchKernel and its relatives.
#include "simulator/engine/block_engine.h"
#include "simulator/runtime/kernel_registry.h"
#include "simulator/runtime/submission.h"

#include <cstdio>
#include <cstring>

namespace gpucert::simulator {
namespace {

constexpr unsigned most_threads_per_block = 1024;
constexpr unsigned deepest_block = 64;
constexpr unsigned most_blocks_yz = 65535;

/// A copy of the arguments, which the program may change before the kernel runs.
class argument_copy {
public:
  argument_copy(const twin_kernel &kernel, void *const *arguments) {
    for (unsigned i = 0; i < kernel.parameter_count; ++i) {
      storage_.emplace_back((kernel.parameter_bytes[i] + sizeof(slot) - 1) / sizeof(slot));
      std::memcpy(storage_.back().data(), arguments[i], kernel.parameter_bytes[i]);
      pointers_.push_back(storage_.back().data());
    }
  }
  void *const *data() const { return pointers_.data(); }

private:
  struct alignas(16) slot {
    unsigned char bytes[16];
  };
  std::vector<std::vector<slot>> storage_;
  std::vector<void *> pointers_;
};

/// A pointer that the GPU could not follow is found before the kernel runs, not when it is followed.
cudaError_t check_pointers(const process_state &process, const registered_function &function,
                           const argument_copy &arguments) {
  const twin_kernel &kernel = *function.kernel;
  for (unsigned i = 0; i < kernel.parameter_count; ++i) {
    if (!kernel.is_pointer[i])
      continue;
    const void *pointer = nullptr;
    std::memcpy(&pointer, arguments.data()[i], sizeof pointer);
    if (!pointer || process.is_pinned(pointer))
      continue;
    const auto device = process.device_of(pointer);
    if (device && process.devices[static_cast<std::size_t>(*device)]->memory.find(pointer))
      continue;
    std::fprintf(stderr, "gpucert simulator: kernel %s: argument %u (%p) is %s\n", function.name.c_str(), i, pointer,
                 device ? "device memory that is not allocated" : "not device memory");
    return cudaErrorIllegalAddress;
  }
  return cudaSuccess;
}

cudaError_t check_shape(const process_state &process, const registered_function &function, dim3 grid, dim3 block,
                        std::size_t shared_bytes) {
  const unsigned long long threads = 1ULL * block.x * block.y * block.z;
  if (threads == 0 || threads > most_threads_per_block || block.z > deepest_block)
    return cudaErrorInvalidConfiguration;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffU || grid.y > most_blocks_yz ||
      grid.z > most_blocks_yz)
    return cudaErrorInvalidConfiguration;
  if (shared_bytes > static_cast<std::size_t>(process.what.gpu.shared_bytes_per_block) ||
      shared_bytes > static_cast<std::size_t>(function.most_dynamic_shared_bytes))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void set_order_of_environment() {
  const char *text = std::getenv("GPUCERT_SIMULATOR_ORDER");
  const auto order = thread_order::parse(text ? text : "ascending");
  if (!order) {
    std::fprintf(stderr,
                 "gpucert simulator: GPUCERT_SIMULATOR_ORDER is '%s', expected ascending, fair:SEED or unfair:SEED\n",
                 text);
    std::abort();
  }
  block_engine::instance().set_order(*order);
}

cudaError_t run_kernel(const process_state &process, const registered_function &function,
                       const argument_copy &arguments, dim3 grid, dim3 block, std::size_t shared_bytes) {
  if (const cudaError_t error = check_pointers(process, function, arguments); error != cudaSuccess)
    return error;
  const auto failure = block_engine::instance().run({function.kernel, arguments.data(), grid, block, shared_bytes});
  if (!failure)
    return cudaSuccess;
  std::fprintf(stderr, "gpucert simulator: kernel %s: %s\n", function.name.c_str(), failure->text.c_str());
  return failure->code;
}

cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes,
                   cudaStream_t handle) {
  static const bool order_is_set = (set_order_of_environment(), true);
  static_cast<void>(order_is_set);
  return call_device([&](process_state &process) -> cudaError_t {
    const registered_function *function = find_function(stub);
    if (!function)
      return cudaErrorInvalidDeviceFunction;
    if (!function->kernel) {
      std::fprintf(stderr, "gpucert simulator: kernel %s is not in the twin\n", function->name.c_str());
      return cudaErrorInvalidDeviceFunction;
    }
    if (const cudaError_t error = check_shape(process, *function, grid, block, shared_bytes); error != cudaSuccess)
      return error;
    const auto copy = std::make_shared<const argument_copy>(*function->kernel, arguments);
    const double threads = 1.0 * grid.x * grid.y * grid.z * block.x * block.y * block.z;
    return submit_computation(process, process.stream_of(handle), process.costs.kernel_us(threads), [=, &process] {
      return run_kernel(process, *function, *copy, grid, block, shared_bytes);
    });
  });
}

/// What `<<<grid, block, shared, stream>>>` says before the arguments are evaluated.
struct call_configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};
thread_local std::vector<call_configuration> configurations;

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  return launch(stub, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **arguments) {
  return launch(stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream);
}

#if CUDART_VERSION >= 12000
// What nvcc 12 and later generate for <<<>>>. A kernel's handle is its stub here.
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(stub));
  return find_function(stub) ? cudaSuccess : remember(cudaErrorInvalidDeviceFunction);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes,
                               cudaStream_t stream) {
  return launch(static_cast<const void *>(kernel), grid, block, arguments, shared_bytes, stream);
}
#endif

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st *stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st *stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream) {
  if (configurations.empty())
    return remember(cudaErrorMissingConfiguration);
  const call_configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t *>(stream) = last.stream;
  return cudaSuccess;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
