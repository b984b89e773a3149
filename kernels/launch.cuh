// SPDX-License-Identifier: Apache-2.0
// Starting kernels: one typed launch for nvcc and for the simulator's host-compiled twin, and what else the two
// compilers spell differently. Kernels keep to what both take: no <<<>>>, no inline PTX outside this file, no
// cooperative groups.
#pragma once

#include "kernels/cuda_error.h"

#include <cuda_runtime.h>

#ifdef GPUCERT_TWIN
#include "simulator/twin.h"
#endif

#include <cstddef>

namespace gpucert {

/// The shape of a launch; `shared_bytes` is dynamic shared memory.
struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

template <auto Kernel> struct kernel_launcher;

template <class... Parameters, void (*Kernel)(Parameters...)> struct kernel_launcher<Kernel> {
  static void launch(const launch_shape &shape, cudaStream_t stream, Parameters... parameters) {
#ifdef GPUCERT_TWIN
    static_cast<void>(twin::registered<Kernel>::once); // each instance that is launched somewhere registers itself
#endif
    void *pointers[] = {static_cast<void *>(&parameters)..., nullptr};
    check_cuda(cudaLaunchKernel(reinterpret_cast<const void *>(Kernel), shape.grid, shape.block, pointers,
                                shape.shared_bytes, stream),
               "cudaLaunchKernel", __FILE__, __LINE__);
  }
};

/// launch<kernel>({grid, block, shared_bytes}, stream, arguments...). Arguments are converted to the kernel's own
/// types.
template <auto Kernel, class... Arguments>
void launch(const launch_shape &shape, cudaStream_t stream, Arguments... arguments) {
  kernel_launcher<Kernel>::launch(shape, stream, arguments...);
}

/// The dynamic shared memory of the block, as an array of T.
template <class T> __device__ inline T *dynamic_shared() {
#ifdef GPUCERT_TWIN
  return static_cast<T *>(twin::dynamic_shared());
#else
  extern __shared__ __align__(16) unsigned char gpucert_dynamic_shared[];
  return reinterpret_cast<T *>(gpucert_dynamic_shared);
#endif
}

} // namespace gpucert
