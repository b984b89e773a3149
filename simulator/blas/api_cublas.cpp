// SPDX-License-Identifier: Apache-2.0
// libcublas: handles and GEMM.
#include "simulator/blas/scalar.h"

#include <cublas_v2.h>
#include <new>

// NOLINTBEGIN(readability-identifier-naming): cuBLAS declares it
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};
// NOLINTEND(readability-identifier-naming)

using namespace gpucert::simulator;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  // Without a usable driver the real one answers so, too.
  if (cudaFree(nullptr) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasContext;
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, std::size_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  handle->math_mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  *mode = handle->math_mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t mode) {
  return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m,
                            int n, int k, const void *alpha, const void *a, cudaDataType_t a_type, int a_stride,
                            const void *b, cudaDataType_t b_type, int b_stride, const void *beta, void *c,
                            cudaDataType_t c_type, int c_stride, cublasComputeType_t compute_type, cublasGemmAlgo_t) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  gemm_request request;
  request.m = m;
  request.n = n;
  request.k = k;
  request.a = {a, a_type, a_stride, a_operation != CUBLAS_OP_N};
  request.b = {b, b_type, b_stride, b_operation != CUBLAS_OP_N};
  request.c = request.d = {c, c_type, c_stride, false};
  const bool has_f8 = a_type == CUDA_R_8F_E4M3 || b_type == CUDA_R_8F_E4M3; // of cublasLt only
  if (has_f8 || !set_compute_type(request, compute_type))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if ((handle->math_mode & 0xf) == CUBLAS_TF32_TENSOR_OP_MATH && a_type == CUDA_R_32F)
    request.rounds_to_tf32 = true;
  const cudaDataType_t scale_type = request.has_integer_sums ? CUDA_R_32I : CUDA_R_32F;
  request.alpha = *read_scalar(alpha, scale_type);
  request.beta = *read_scalar(beta, scale_type);
  return submit_or_refuse(request, handle->stream);
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m,
                           int n, int k, const float *alpha, const float *a, int a_stride, const float *b, int b_stride,
                           const float *beta, float *c, int c_stride) {
  return cublasGemmEx(handle, a_operation, b_operation, m, n, k, alpha, a, CUDA_R_32F, a_stride, b, CUDA_R_32F,
                      b_stride, beta, c, CUDA_R_32F, c_stride, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "CUBLAS_STATUS_SUCCESS";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case CUBLAS_STATUS_ALLOC_FAILED:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case CUBLAS_STATUS_ARCH_MISMATCH:
    return "CUBLAS_STATUS_ARCH_MISMATCH";
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case CUBLAS_STATUS_INTERNAL_ERROR:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  default:
    return "unknown cuBLAS status";
  }
}

const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

} // extern "C"
