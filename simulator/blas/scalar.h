// SPDX-License-Identifier: Apache-2.0
// alpha and beta as callers give them, and what a compute type says.
#pragma once

#include "simulator/blas/gemm.h"

#include <cublas_v2.h>
#include <optional>

namespace gpucert::simulator {

/// In host memory; nothing for a type that is not simulated.
inline std::optional<double> read_scalar(const void *scalar, cudaDataType_t type) {
  if (type == CUDA_R_32F)
    return *static_cast<const float *>(scalar);
  if (type == CUDA_R_32I)
    return *static_cast<const int *>(scalar);
  return std::nullopt;
}

/// False for a compute type that is not simulated.
inline bool set_compute_type(gemm_request &request, cublasComputeType_t type) {
  request.has_integer_sums = type == CUBLAS_COMPUTE_32I || type == CUBLAS_COMPUTE_32I_PEDANTIC;
  request.rounds_to_tf32 = type == CUBLAS_COMPUTE_32F_FAST_TF32 && request.a.type == CUDA_R_32F;
  return request.has_integer_sums || type == CUBLAS_COMPUTE_32F || type == CUBLAS_COMPUTE_32F_PEDANTIC ||
         type == CUBLAS_COMPUTE_32F_FAST_TF32;
}

inline cublasStatus_t submit_or_refuse(const gemm_request &request, cudaStream_t stream) {
  switch (refuse(request)) {
  case gemm_refusal::invalid:
    return CUBLAS_STATUS_INVALID_VALUE;
  case gemm_refusal::unsupported:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  case gemm_refusal::none:
    break;
  }
  return submit(request, stream) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace gpucert::simulator
