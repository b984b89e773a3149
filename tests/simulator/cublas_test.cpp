// SPDX-License-Identifier: Apache-2.0
// GEMM of the simulated cuBLAS and cuBLASLt against sums formed here.
#include "kernels/cuda_error.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

namespace gpucert {
namespace {

constexpr int m = 5;
constexpr int n = 7;
constexpr int k = 9;
constexpr int gap = 2; // rows between the columns that belong to nobody

/// Small whole numbers: every format and every order of sums gives the same.
float number_at(int row, int column, int salt) { return static_cast<float>((row * 3 + column * 5 + salt) % 7 - 3); }

template <class T> class device_matrix {
public:
  /// Column-major; `is_transposed` stores the transposed one.
  device_matrix(int rows, int columns, bool is_transposed, int salt) : stride((is_transposed ? columns : rows) + gap) {
    std::vector<T> values(static_cast<std::size_t>(stride * (is_transposed ? rows : columns)), static_cast<T>(99.0F));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        values[static_cast<std::size_t>(is_transposed ? row * stride + column : column * stride + row)] =
            static_cast<T>(number_at(row, column, salt));
    count_ = values.size();
    GPUCERT_CUDA_CHECK(cudaMalloc(&data, count_ * sizeof(T)));
    GPUCERT_CUDA_CHECK(cudaMemcpy(data, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~device_matrix() { cudaFree(data); }
  device_matrix(const device_matrix &) = delete;
  device_matrix &operator=(const device_matrix &) = delete;

  std::vector<T> download() const {
    std::vector<T> values(count_);
    GPUCERT_CUDA_CHECK(cudaMemcpy(values.data(), data, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

  T *data = nullptr;
  int stride;

private:
  std::size_t count_ = 0;
};

template <class Handle, cublasStatus_t (*Create)(Handle *), cublasStatus_t (*Destroy)(Handle)> class library_handle {
public:
  library_handle() {
    if (Create(&handle_) != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error("no handle");
  }
  ~library_handle() { EXPECT_EQ(Destroy(handle_), CUBLAS_STATUS_SUCCESS); }
  library_handle(const library_handle &) = delete;
  library_handle &operator=(const library_handle &) = delete;
  operator Handle() const { return handle_; }

private:
  Handle handle_ = nullptr;
};
using cublas_handle = library_handle<cublasHandle_t, cublasCreate, cublasDestroy>;
using cublaslt_handle = library_handle<cublasLtHandle_t, cublasLtCreate, cublasLtDestroy>;

float expected_at(int row, int column, float alpha, float beta) {
  float sum = 0;
  for (int at = 0; at < k; ++at)
    sum += number_at(row, at, 1) * number_at(at, column, 2);
  return alpha * sum + (beta == 0 ? 0 : beta * number_at(row, column, 3));
}

template <class T> void expect_result(const device_matrix<T> &c, float alpha, float beta) {
  const std::vector<T> values = c.download();
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row)
      EXPECT_EQ(static_cast<float>(values[static_cast<std::size_t>(column * c.stride + row)]),
                expected_at(row, column, alpha, beta))
          << row << ", " << column;
    for (int row = m; row < c.stride; ++row) // between the columns
      EXPECT_EQ(static_cast<float>(values[static_cast<std::size_t>(column * c.stride + row)]), 99);
  }
}

cublasOperation_t operation(bool is_transposed) { return is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

template <class In, class Out, class Scale>
void test_gemm(cudaDataType_t in, cudaDataType_t out, cublasComputeType_t compute, float alpha, float beta) {
  const cublas_handle handle;
  for (const bool transpose_a : {false, true})
    for (const bool transpose_b : {false, true}) {
      const device_matrix<In> a(m, k, transpose_a, 1);
      const device_matrix<In> b(k, n, transpose_b, 2);
      const device_matrix<Out> c(m, n, false, 3);
      const auto alpha_value = static_cast<Scale>(alpha);
      const auto beta_value = static_cast<Scale>(beta);
      ASSERT_EQ(cublasGemmEx(handle, operation(transpose_a), operation(transpose_b), m, n, k, &alpha_value, a.data, in,
                             a.stride, b.data, in, b.stride, &beta_value, c.data, out, c.stride, compute,
                             CUBLAS_GEMM_DEFAULT),
                CUBLAS_STATUS_SUCCESS);
      expect_result(c, alpha, beta);
    }
}

TEST(simulated_cublas, multiplies_f32) {
  test_gemm<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, -1);
}
TEST(simulated_cublas, multiplies_tf32) {
  test_gemm<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 1, 0);
}
TEST(simulated_cublas, multiplies_f16) {
  test_gemm<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1, 1);
}
TEST(simulated_cublas, multiplies_bf16) {
  test_gemm<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1, 0);
}
TEST(simulated_cublas, multiplies_s8) {
  test_gemm<std::int8_t, std::int32_t, std::int32_t>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 3, 2);
}

TEST(simulated_cublas, refuses_a_stride_shorter_than_a_column) {
  const cublas_handle handle;
  const device_matrix<float> a(m, k, false, 1);
  const float one = 1;
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.data, m - 1, a.data, k, &one, a.data, m),
            CUBLAS_STATUS_INVALID_VALUE);
}

TEST(simulated_cublas, operand_in_host_memory_is_an_illegal_address) {
  const cublas_handle handle;
  const device_matrix<float> c(1, 1, false, 1);
  const float one = 1;
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, &one, 1, &one, 1, &one, c.data, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress); // and stays
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

TEST(simulated_cublaslt, multiplies_f16_with_its_one_algorithm) {
  const cublaslt_handle handle;
  const device_matrix<__half> a(m, k, true, 1);
  const device_matrix<__half> b(k, n, false, 2);
  const device_matrix<__half> c(m, n, false, 3);
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  cublasLtMatrixLayout_t a_layout = nullptr;
  cublasLtMatrixLayout_t b_layout = nullptr;
  cublasLtMatrixLayout_t c_layout = nullptr;
  cublasLtMatrixLayoutCreate(&a_layout, CUDA_R_16F, k, m, a.stride);
  cublasLtMatrixLayoutCreate(&b_layout, CUDA_R_16F, k, n, b.stride);
  cublasLtMatrixLayoutCreate(&c_layout, CUDA_R_16F, m, n, c.stride);
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  ASSERT_EQ(cublasLtMatmulAlgoGetHeuristic(handle, description, a_layout, b_layout, c_layout, c_layout, preference, 1,
                                           &found, &count),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(count, 1);
  const float alpha = 1;
  const float beta = 0;
  ASSERT_EQ(cublasLtMatmul(handle, description, &alpha, a.data, a_layout, b.data, b_layout, &beta, c.data, c_layout,
                           c.data, c_layout, &found.algo, nullptr, 0, nullptr),
            CUBLAS_STATUS_SUCCESS);
  expect_result(c, alpha, beta);
  const std::uint32_t epilogue = CUBLASLT_EPILOGUE_RELU;
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  EXPECT_EQ(cublasLtMatmul(handle, description, &alpha, a.data, a_layout, b.data, b_layout, &beta, c.data, c_layout,
                           c.data, c_layout, &found.algo, nullptr, 0, nullptr),
            CUBLAS_STATUS_NOT_SUPPORTED); // and not calculated without it
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_SUCCESS);
  for (const cublasLtMatrixLayout_t layout : {a_layout, b_layout, c_layout})
    EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulDescDestroy(description), CUBLAS_STATUS_SUCCESS);
}

} // namespace
} // namespace gpucert
