// SPDX-License-Identifier: Apache-2.0
// Errors of cuBLAS and cuBLASLt as exceptions. Every call of theirs goes through GPUCERT_CUBLAS_CHECK.
#pragma once

#include <cublas_v2.h>
#include <stdexcept>
#include <string>

namespace gpucert {

/// A failed call of cuBLAS or cuBLASLt: the call, the status' name, and where.
class cublas_error : public std::runtime_error {
public:
  cublas_error(cublasStatus_t status, const char *call, const char *file, int line)
      : std::runtime_error(std::string(call) + ": " + cublasGetStatusName(status) + " (" + std::to_string(int{status}) +
                           ") at " + file + ":" + std::to_string(line)),
        status_(status) {}

  cublasStatus_t status() const { return status_; }

private:
  cublasStatus_t status_;
};

inline void check_cublas(cublasStatus_t status, const char *call, const char *file, int line) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw cublas_error(status, call, file, line);
}

} // namespace gpucert

#define GPUCERT_CUBLAS_CHECK(call) ::gpucert::check_cublas((call), #call, __FILE__, __LINE__)
