// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm.h"

#include "kernels/cublas_error.h"

#include <climits>
#include <fmt/format.h>

#include <stdexcept>

namespace gpucert {
namespace {

/// alpha = 1 and beta = 0 in the scale's type: the bits of 0 are those of 0.0f.
struct scalars {
  const float one_f32 = 1;
  const int one_s32 = 1;
  const float zero = 0;

  const void *alpha(const gemm_library_types &types) const {
    return types.scale == CUDA_R_32I ? static_cast<const void *>(&one_s32) : &one_f32;
  }
  const void *beta() const { return &zero; }
};

int to_int(std::size_t size) { return static_cast<int>(size); }

void check_shape(const gemm_shape &shape) {
  const std::size_t sizes[] = {shape.m, shape.n, shape.k, shape.x_stride, shape.w_stride, shape.y_stride};
  for (const std::size_t size : sizes)
    if (size > INT_MAX)
      throw std::invalid_argument(fmt::format("GEMM with a size of {}: cublasGemmEx takes int", size));
  if (shape.k == 0 || shape.x_stride < shape.k || shape.w_stride < shape.k || shape.y_stride < shape.n)
    throw std::invalid_argument(fmt::format("GEMM {} x {} x {} with rows {}, {} and {} apart", shape.m, shape.n,
                                            shape.k, shape.x_stride, shape.w_stride, shape.y_stride));
}

} // namespace

gemm_library_types library_types_of(gemm_format format) {
  switch (format) {
  case gemm_format::f32:
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
  case gemm_format::tf32:
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F};
  case gemm_format::f16:
    return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
  case gemm_format::bf16:
    return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
  case gemm_format::s8:
    return {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I};
  case gemm_format::f8:
    return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
  }
  throw std::invalid_argument("no such GEMM format");
}

std::string_view name_of(gemm_library library) { return library == gemm_library::cublas ? "cublas" : "cublas_lt"; }

int read_compute_capability() {
  int device = 0;
  int major = 0;
  int minor = 0;
  GPUCERT_CUDA_CHECK(cudaGetDevice(&device));
  GPUCERT_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  GPUCERT_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return 10 * major + minor;
}

// From the tables of cublasGemmEx and cublasLtMatmul in the cuBLAS manual: for s8 -> s32 addresses and distances of
// rows are multiples of 4 bytes, and so are m and k of cuBLASLt; FP8 needs 16 bytes in each, and cuBLASLt. For tensor
// cores below their compute capability cuBLAS would calculate otherwise without a word.
std::optional<std::string> why_unsupported(gemm_format format, gemm_library library, const gemm_shape &shape,
                                           std::size_t alignment_bytes, int compute_capability) {
  const auto needs = [&](int least) -> std::optional<std::string> {
    if (compute_capability >= least)
      return std::nullopt;
    return fmt::format("{} needs compute capability {}.{}, this GPU has {}.{}", name_of(format), least / 10, least % 10,
                       compute_capability / 10, compute_capability % 10);
  };
  const auto needs_multiples = [&](std::size_t bytes) -> std::optional<std::string> {
    const std::size_t input = input_bytes_of(format);
    const std::size_t output = output_bytes_of(format);
    if (alignment_bytes % bytes == 0 && shape.k * input % bytes == 0 && shape.x_stride * input % bytes == 0 &&
        shape.w_stride * input % bytes == 0 && shape.n * output % bytes == 0 && shape.y_stride * output % bytes == 0)
      return std::nullopt;
    return fmt::format("{} needs addresses and rows of {} bytes", name_of(format), bytes);
  };
  switch (format) {
  case gemm_format::f32:
  case gemm_format::f16:
    return std::nullopt;
  case gemm_format::tf32:
  case gemm_format::bf16:
    return needs(80);
  case gemm_format::s8:
    if (shape.n % 4 != 0 || shape.y_stride % 4 != 0)
      return "s8 needs N and the distance of the result's rows in multiples of 4";
    return needs_multiples(4);
  case gemm_format::f8:
    if (library == gemm_library::cublas)
      return "f8 is done by cuBLASLt only";
    if (auto reason = needs(89))
      return reason;
    return needs_multiples(16);
  }
  throw std::invalid_argument("no such GEMM format");
}

gemm_libraries::gemm_libraries() {
  cublasHandle_t blas = nullptr;
  GPUCERT_CUBLAS_CHECK(cublasCreate(&blas));
  blas_.reset(blas);
  // Sums of a split K must not be rounded to f16 in between: neither the exact test nor the error bound allows for it.
  GPUCERT_CUBLAS_CHECK(cublasSetMathMode(blas, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION));
  cublasLtHandle_t lt = nullptr;
  GPUCERT_CUBLAS_CHECK(cublasLtCreate(&lt));
  lt_.reset(lt);
  void *workspace = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&workspace, workspace_bytes));
  workspace_.reset(workspace);
}

cublasHandle_t gemm_libraries::blas_on(cudaStream_t stream) const {
  GPUCERT_CUBLAS_CHECK(cublasSetStream(blas_.get(), stream)); // takes the workspace away
  GPUCERT_CUBLAS_CHECK(cublasSetWorkspace(blas_.get(), workspace_.get(), workspace_bytes));
  return blas_.get();
}

gemm_plan::gemm_plan(const gemm_libraries &libraries, gemm_library library, gemm_format format, const gemm_shape &shape,
                     std::size_t alignment_bytes)
    : libraries_(&libraries), library_(library), format_(format), shape_(shape) {
  check_shape(shape);
  if (library == gemm_library::cublas_lt && shape.m != 0 && shape.n != 0)
    prepare_lt(alignment_bytes);
}

void gemm_plan::launch(const void *x, const void *w, void *y, cudaStream_t stream) const {
  if (shape_.m == 0 || shape_.n == 0)
    return; // cuBLASLt has no layout for it
  if (library_ == gemm_library::cublas)
    launch_blas(x, w, y, stream);
  else
    launch_lt(x, w, y, stream);
}

void gemm_plan::launch_blas(const void *x, const void *w, void *y, cudaStream_t stream) const {
  const gemm_library_types types = library_types_of(format_);
  const scalars scale;
  GPUCERT_CUBLAS_CHECK(cublasGemmEx(libraries_->blas_on(stream), CUBLAS_OP_T, CUBLAS_OP_N, to_int(shape_.n),
                                    to_int(shape_.m), to_int(shape_.k), scale.alpha(types), w, types.input,
                                    to_int(shape_.w_stride), x, types.input, to_int(shape_.x_stride), scale.beta(), y,
                                    types.output, to_int(shape_.y_stride), types.compute, CUBLAS_GEMM_DEFAULT));
}

void gemm_plan::launch_lt(const void *x, const void *w, void *y, cudaStream_t stream) const {
  const scalars scale;
  GPUCERT_CUBLAS_CHECK(cublasLtMatmul(libraries_->lt(), operation_.get(), scale.alpha(library_types_of(format_)), w,
                                      w_layout_.get(), x, x_layout_.get(), scale.beta(), y, y_layout_.get(), y,
                                      y_layout_.get(), &lt_algorithm_, libraries_->workspace(),
                                      gemm_libraries::workspace_bytes, stream));
}

work work_of_gemm(gemm_format format, const gemm_shape &shape) {
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  work done;
  done.memory_bytes = static_cast<double>(input_bytes_of(format)) * (m * k + n * k) +
                      static_cast<double>(output_bytes_of(format)) * m * n;
  done.operations = 2 * m * n * k;
  done.unit = unit_of(format);
  return done;
}

} // namespace gpucert
