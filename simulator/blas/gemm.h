// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the simulated cuBLAS: D = alpha op(A) op(B) + beta C, column-major.
#pragma once

#include "harness/work.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <library_types.h>

namespace gpucert::simulator {

struct gemm_matrix {
  const void *start = nullptr;
  cudaDataType_t type = CUDA_R_32F;
  std::int64_t stride = 0; // elements between columns
  bool is_transposed = false;
};

struct gemm_request {
  std::int64_t m = 0; // rows of D
  std::int64_t n = 0; // columns of D
  std::int64_t k = 0;
  gemm_matrix a;
  gemm_matrix b;
  gemm_matrix c;
  gemm_matrix d; // written through
  double alpha = 1;
  double beta = 0;
  const float *a_scale = nullptr; // in device memory: factors of FP8 operands
  const float *b_scale = nullptr;
  bool has_integer_sums = false;
  bool rounds_to_tf32 = false;
};

/// 0 for a type that is not simulated.
std::size_t bytes_of(cudaDataType_t type);

/// Why the request has no meaning (negative sizes, a stride shorter than a column) or is not simulated.
enum class gemm_refusal { none, invalid, unsupported };
gemm_refusal refuse(const gemm_request &request);

math_unit unit_of(const gemm_request &request);
work work_of(const gemm_request &request);

/// Puts the GEMM into the stream. Returns false when CUDA refused.
bool submit(const gemm_request &request, cudaStream_t stream);

} // namespace gpucert::simulator
