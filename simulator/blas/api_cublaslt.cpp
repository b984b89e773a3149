// SPDX-License-Identifier: Apache-2.0
// libcublasLt: descriptions of a multiplication, and the multiplication.
#include "simulator/blas/scalar.h"

#include <cstring>
#include <cublasLt.h>
#include <new>

// NOLINTBEGIN(readability-identifier-naming): cuBLAS declares it
struct cublasLtContext {};
// NOLINTEND(readability-identifier-naming)

namespace gpucert::simulator {
namespace {

// What is kept in the library's opaque structures.
struct description {
  cublasComputeType_t compute_type;
  cudaDataType_t scale_type;
  std::int32_t a_operation;
  std::int32_t b_operation;
  const float *a_scale;
  const float *b_scale;
  bool has_unsupported;
};
static_assert(sizeof(description) <= sizeof(cublasLtMatmulDescOpaque_t));

struct layout {
  cudaDataType_t type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t stride;
  bool has_unsupported;
};
static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));

constexpr int simulated_algorithm = 1;

template <class Content, class Opaque> Content content_of(const Opaque *opaque) {
  Content content;
  std::memcpy(&content, opaque->data, sizeof content);
  return content;
}
template <class Content, class Opaque> void set_content(Opaque *opaque, const Content &content) {
  std::memcpy(opaque->data, &content, sizeof content);
}

template <class Opaque> cublasStatus_t create(Opaque **created) {
  *created = new (std::nothrow) Opaque{};
  return *created ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
template <class Opaque> cublasStatus_t destroy(Opaque *opaque) {
  delete opaque;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> bool take(T &to, const void *value, std::size_t bytes) {
  if (bytes < sizeof to)
    return false;
  std::memcpy(&to, value, sizeof to);
  return true;
}

/// True when the value is all zero bits, which is the default of every attribute that is not simulated.
bool is_default(const void *value, std::size_t bytes) {
  const auto *const first = static_cast<const unsigned char *>(value);
  for (std::size_t i = 0; i < bytes; ++i)
    if (first[i] != 0)
      return false;
  return true;
}

gemm_matrix matrix_of(const void *start, const layout &shape, std::int32_t operation) {
  return {start, shape.type, shape.stride, operation != CUBLAS_OP_N};
}

struct resolved {
  cublasStatus_t status;
  gemm_request request;
};

resolved resolve(const cublasLtMatmulDescOpaque_t *operation, const void *a,
                 const cublasLtMatrixLayoutOpaque_t *a_layout, const void *b,
                 const cublasLtMatrixLayoutOpaque_t *b_layout, const void *c,
                 const cublasLtMatrixLayoutOpaque_t *c_layout, void *d, const cublasLtMatrixLayoutOpaque_t *d_layout) {
  const auto told = content_of<description>(operation);
  const auto a_shape = content_of<layout>(a_layout);
  const auto b_shape = content_of<layout>(b_layout);
  const auto c_shape = content_of<layout>(c_layout);
  const auto d_shape = content_of<layout>(d_layout);
  gemm_request request;
  request.a = matrix_of(a, a_shape, told.a_operation);
  request.b = matrix_of(b, b_shape, told.b_operation);
  request.c = matrix_of(c, c_shape, CUBLAS_OP_N);
  request.d = matrix_of(d, d_shape, CUBLAS_OP_N);
  request.m = static_cast<std::int64_t>(d_shape.rows);
  request.n = static_cast<std::int64_t>(d_shape.columns);
  request.k = static_cast<std::int64_t>(request.a.is_transposed ? a_shape.rows : a_shape.columns);
  request.a_scale = told.a_scale;
  request.b_scale = told.b_scale;
  const std::uint64_t a_rows = request.a.is_transposed ? a_shape.columns : a_shape.rows;
  const std::uint64_t b_rows = request.b.is_transposed ? b_shape.columns : b_shape.rows;
  const std::uint64_t b_columns = request.b.is_transposed ? b_shape.rows : b_shape.columns;
  if (a_rows != d_shape.rows || b_columns != d_shape.columns || b_rows != static_cast<std::uint64_t>(request.k))
    return {CUBLAS_STATUS_INVALID_VALUE, request};
  if (told.has_unsupported || a_shape.has_unsupported || b_shape.has_unsupported || d_shape.has_unsupported ||
      !set_compute_type(request, told.compute_type) || (told.scale_type != CUDA_R_32F && told.scale_type != CUDA_R_32I))
    return {CUBLAS_STATUS_NOT_SUPPORTED, request};
  switch (refuse(request)) {
  case gemm_refusal::invalid:
    return {CUBLAS_STATUS_INVALID_VALUE, request};
  case gemm_refusal::unsupported:
    return {CUBLAS_STATUS_NOT_SUPPORTED, request};
  case gemm_refusal::none:
    break;
  }
  return {CUBLAS_STATUS_SUCCESS, request};
}

} // namespace
} // namespace gpucert::simulator

using namespace gpucert::simulator;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (cudaFree(nullptr) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return create(handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return destroy(handle); }

std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
std::size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t operation, std::size_t,
                                               cublasComputeType_t compute_type, cudaDataType_t scale_type) {
  set_content(operation, description{compute_type, scale_type, CUBLAS_OP_N, CUBLAS_OP_N, nullptr, nullptr, false});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *operation, cublasComputeType_t compute_type,
                                        cudaDataType_t scale_type) {
  const cublasStatus_t status = create(operation);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasLtMatmulDescInit_internal(*operation, sizeof **operation, compute_type, scale_type);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) { return destroy(operation); }

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, std::size_t bytes) {
  auto told = content_of<description>(operation);
  bool is_taken = true;
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_TRANSA:
    is_taken = take(told.a_operation, value, bytes);
    break;
  case CUBLASLT_MATMUL_DESC_TRANSB:
    is_taken = take(told.b_operation, value, bytes);
    break;
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    is_taken = take(told.a_scale, value, bytes);
    break;
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    is_taken = take(told.b_scale, value, bytes);
    break;
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM: // sums are whole here
    break;
  case CUBLASLT_MATMUL_DESC_EPILOGUE: {
    std::uint32_t epilogue = 0;
    is_taken = take(epilogue, value, bytes);
    told.has_unsupported |= epilogue != CUBLASLT_EPILOGUE_DEFAULT;
    break;
  }
  default:
    told.has_unsupported |= !is_default(value, bytes);
  }
  set_content(operation, told);
  return is_taken ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *created, cudaDataType_t type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t stride) {
  const cublasStatus_t status = create(created);
  if (status == CUBLAS_STATUS_SUCCESS)
    set_content(*created, layout{type, rows, columns, stride, false});
  return status;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t shape) { return destroy(shape); }

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t shape, cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, std::size_t bytes) {
  auto told = content_of<layout>(shape);
  std::int32_t number = 0;
  if (attribute == CUBLASLT_MATRIX_LAYOUT_LD)
    take(told.stride, value, bytes);
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && take(number, value, bytes))
    told.has_unsupported |= number != 1;
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_ORDER && take(number, value, bytes))
    told.has_unsupported |= number != CUBLASLT_ORDER_COL;
  else
    told.has_unsupported |= !is_default(value, bytes);
  set_content(shape, told);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) { return create(preference); }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) { return destroy(preference); }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                    const void *, std::size_t) {
  return CUBLAS_STATUS_SUCCESS; // there is one algorithm, and it needs nothing
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a_layout, cublasLtMatrixLayout_t b_layout,
                                              cublasLtMatrixLayout_t c_layout, cublasLtMatrixLayout_t d_layout,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *found) {
  *found = 0;
  const resolved can = resolve(operation, nullptr, a_layout, nullptr, b_layout, nullptr, c_layout, nullptr, d_layout);
  if (can.status != CUBLAS_STATUS_SUCCESS || wanted < 1)
    return can.status != CUBLAS_STATUS_SUCCESS ? can.status : CUBLAS_STATUS_INVALID_VALUE;
  results[0] = {};
  results[0].algo.data[0] = simulated_algorithm;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute, void *value,
                                                    std::size_t bytes, std::size_t *written) {
  const std::int32_t number = attribute == CUBLASLT_ALGO_CONFIG_ID           ? static_cast<int>(algorithm->data[0])
                              : attribute == CUBLASLT_ALGO_CONFIG_SPLITK_NUM ? 1
                                                                             : 0;
  if (bytes < sizeof number)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, &number, sizeof number);
  if (written)
    *written = sizeof number;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha, const void *a,
                              cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
                              const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *, void *, std::size_t,
                              cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  resolved can = resolve(operation, a, a_layout, b, b_layout, c, c_layout, d, d_layout);
  if (can.status != CUBLAS_STATUS_SUCCESS)
    return can.status;
  const cudaDataType_t scale_type = content_of<description>(operation).scale_type;
  can.request.alpha = *read_scalar(alpha, scale_type);
  can.request.beta = *read_scalar(beta, scale_type);
  return submit_or_refuse(can.request, stream);
}

} // extern "C"
