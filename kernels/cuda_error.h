// SPDX-License-Identifier: Apache-2.0
// CUDA errors as exceptions. Every call of the CUDA runtime goes through GPUCERT_CUDA_CHECK.
#pragma once

#include <cuda_runtime_api.h>
#include <stdexcept>
#include <string>

namespace gpucert {

/// A failed call of the CUDA runtime: the call, the error's name and text, and where.
class cuda_error : public std::runtime_error {
public:
  cuda_error(cudaError_t code, const char *call, const char *file, int line)
      : std::runtime_error(std::string(call) + ": " + cudaGetErrorName(code) + " (" + std::to_string(int{code}) + ", " +
                           cudaGetErrorString(code) + ") at " + file + ":" + std::to_string(line)),
        code_(code) {}

  cudaError_t code() const { return code_; }

private:
  cudaError_t code_;
};

inline void check_cuda(cudaError_t code, const char *call, const char *file, int line) {
  if (code != cudaSuccess)
    throw cuda_error(code, call, file, line);
}

} // namespace gpucert

#define GPUCERT_CUDA_CHECK(call) ::gpucert::check_cuda((call), #call, __FILE__, __LINE__)
