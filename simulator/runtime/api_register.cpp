// SPDX-License-Identifier: Apache-2.0
// What programs built by nvcc call before main: they hand over their device code and the names of their kernels. The
// code itself is not looked at.
#include "simulator/runtime/kernel_registry.h"

#include <cstdio>
#include <cuda_runtime_api.h>

using namespace gpucert::simulator;

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {

void **__cudaRegisterFatBinary(void *fat_binary);
void **__cudaRegisterFatBinary(void *) {
  static void *handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **) {}

char __cudaInitModule(void **handle);
char __cudaInitModule(void **) { return 1; }

void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name, int thread_limit,
                            uint3 *thread_id, uint3 *block_id, dim3 *block, dim3 *grid, int *warp_size);
void __cudaRegisterFunction(void **, const char *stub, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *,
                            int *) {
  register_stub(stub, name);
}

void __cudaRegisterVar(void **handle, char *host_variable, char *device_address, const char *name, int is_external,
                       std::size_t bytes, int is_constant, int is_global);
void __cudaRegisterVar(void **, char *, char *, const char *name, int, std::size_t, int, int) {
  std::fprintf(stderr, "gpucert simulator: __device__ variables are not simulated: %s\n", name);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
