// SPDX-License-Identifier: Apache-2.0
// GEMM by cuBLAS and cuBLASLt as inference uses it: Y[M,N] = X[M,K] W[N,K]^T, all row-major, alpha 1, beta 0.
// In the libraries' column-major terms that is "TN": op(A) = W transposed, op(B) = X, m = N, n = M, k = K.
#pragma once

#include "kernels/cuda_error.h"
#include "kernels/gemm_format.h"

#include <cstddef>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

enum class gemm_library { cublas, cublas_lt };
std::string_view name_of(gemm_library library);

/// Sizes, and the distances between rows, in elements.
struct gemm_shape {
  std::size_t m = 0; // tokens
  std::size_t n = 0; // outputs
  std::size_t k = 0; // inputs; never 0
  std::size_t x_stride = 0;
  std::size_t w_stride = 0;
  std::size_t y_stride = 0;

  /// Rows without gaps.
  static gemm_shape packed(std::size_t m, std::size_t n, std::size_t k) { return {m, n, k, k, k, n}; }
};

/// 10 * major + minor of the current device. Throws cuda_error.
int read_compute_capability();

/// Why this library, or a GPU of this compute capability, cannot do this GEMM, in words; nothing when it can.
/// `alignment_bytes` is what all addresses are multiples of.
std::optional<std::string> why_unsupported(gemm_format format, gemm_library library, const gemm_shape &shape,
                                           std::size_t alignment_bytes, int compute_capability);

/// What the libraries are told about a format.
struct gemm_library_types {
  cudaDataType_t input;
  cudaDataType_t output;
  cublasComputeType_t compute;
  cudaDataType_t scale; // of alpha and beta
};
gemm_library_types library_types_of(gemm_format format);

template <auto Destroy> struct cublas_deleter {
  template <class T> void operator()(T *object) const { Destroy(object); } // no throw: nothing can be done about it
};

/// Handles of both libraries, and a workspace, without which results may differ from run to run (cuBLAS manual,
/// "Results reproducibility"). For one stream at a time.
class gemm_libraries {
public:
  // What the cuBLAS manual advises for Hopper ("cublasSetWorkspace"), the most of any GPU.
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  gemm_libraries();

  cublasLtHandle_t lt() const { return lt_.get(); }
  void *workspace() const { return workspace_.get(); }

  /// The handle, set to `stream`.
  cublasHandle_t blas_on(cudaStream_t stream) const;

private:
  std::unique_ptr<cublasContext, cublas_deleter<cublasDestroy>> blas_;
  std::unique_ptr<cublasLtContext, cublas_deleter<cublasLtDestroy>> lt_;
  std::unique_ptr<void, cublas_deleter<cudaFree>> workspace_;
};

/// What cuBLASLt's heuristic chose; a value that the library would not tell is absent.
struct gemm_algorithm {
  std::optional<int> id;
  std::optional<int> tile;
  std::optional<int> stages;
  std::optional<int> split_k;
  std::optional<int> reduction_scheme;
};
std::string to_text(const gemm_algorithm &algorithm);

/// One GEMM, ready to be started many times. Made without a launch; cuBLASLt's heuristic is asked here, and its first
/// algorithm is taken.
class gemm_plan {
public:
  /// `libraries` must outlive the plan. Throws cublas_error; std::invalid_argument for a shape that no library takes.
  gemm_plan(const gemm_libraries &libraries, gemm_library library, gemm_format format, const gemm_shape &shape,
            std::size_t alignment_bytes = 256);

  /// Starts it. x, w and y are arrays in device memory of the format's element types.
  void launch(const void *x, const void *w, void *y, cudaStream_t stream) const;

  /// Of cuBLASLt; cuBLAS does not tell.
  const std::optional<gemm_algorithm> &algorithm() const { return algorithm_; }

private:
  void prepare_lt(std::size_t alignment_bytes);
  void launch_blas(const void *x, const void *w, void *y, cudaStream_t stream) const;
  void launch_lt(const void *x, const void *w, void *y, cudaStream_t stream) const;

  using layout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, cublas_deleter<cublasLtMatrixLayoutDestroy>>;

  const gemm_libraries *libraries_;
  gemm_library library_;
  gemm_format format_;
  gemm_shape shape_;
  std::unique_ptr<cublasLtMatmulDescOpaque_t, cublas_deleter<cublasLtMatmulDescDestroy>> operation_;
  layout x_layout_;
  layout w_layout_;
  layout y_layout_;
  cublasLtMatmulAlgo_t lt_algorithm_{};
  std::optional<gemm_algorithm> algorithm_;
};

/// Bytes: each of the three matrices once.
work work_of_gemm(gemm_format format, const gemm_shape &shape);

} // namespace gpucert
