// SPDX-License-Identifier: Apache-2.0
// The part of a GEMM's plan that only cuBLASLt has: description, layouts, and the choice of an algorithm.
#include "kernels/cublas_error.h"
#include "kernels/gemm.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

using preference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, cublas_deleter<cublasLtMatmulPreferenceDestroy>>;

cublasLtMatrixLayout_t make_layout(cudaDataType_t type, std::size_t rows, std::size_t columns, std::size_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  GPUCERT_CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&layout, type, rows, columns, static_cast<std::int64_t>(stride)));
  return layout;
}

template <class Value>
void set_attribute(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t name, Value value) {
  GPUCERT_CUBLAS_CHECK(cublasLtMatmulDescSetAttribute(operation, name, &value, sizeof value));
}

template <class Value>
void set_attribute(const preference &wanted, cublasLtMatmulPreferenceAttributes_t name, Value value) {
  GPUCERT_CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(wanted.get(), name, &value, sizeof value));
}

preference make_preference(std::size_t alignment_bytes) {
  cublasLtMatmulPreference_t created = nullptr;
  GPUCERT_CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&created));
  preference wanted(created);
  set_attribute(wanted, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, gemm_libraries::workspace_bytes);
  // Sums of a split K stay in the type of the sums.
  set_attribute(wanted, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                std::uint32_t{CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  for (const auto name : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    set_attribute(wanted, name, static_cast<std::uint32_t>(std::min<std::size_t>(alignment_bytes, 256)));
  return wanted;
}

template <class Value>
std::optional<int> ask(const cublasLtMatmulAlgo_t &algorithm, cublasLtMatmulAlgoConfigAttributes_t name) {
  Value value = 0;
  std::size_t written = 0;
  if (cublasLtMatmulAlgoConfigGetAttribute(&algorithm, name, &value, sizeof value, &written) != CUBLAS_STATUS_SUCCESS)
    return std::nullopt;
  return static_cast<int>(value);
}

} // namespace

void gemm_plan::prepare_lt(std::size_t alignment_bytes) {
  const gemm_library_types types = library_types_of(format_);
  cublasLtMatmulDesc_t operation = nullptr;
  GPUCERT_CUBLAS_CHECK(cublasLtMatmulDescCreate(&operation, types.compute, types.scale));
  operation_.reset(operation);
  set_attribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set_attribute(operation, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  if (format_ == gemm_format::f8)
    set_attribute(operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{0});
  w_layout_.reset(make_layout(types.input, shape_.k, shape_.n, shape_.w_stride));
  x_layout_.reset(make_layout(types.input, shape_.k, shape_.m, shape_.x_stride));
  y_layout_.reset(make_layout(types.output, shape_.n, shape_.m, shape_.y_stride));

  const preference wanted = make_preference(alignment_bytes);
  cublasLtMatmulHeuristicResult_t result{};
  int results = 0;
  GPUCERT_CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(libraries_->lt(), operation, w_layout_.get(), x_layout_.get(),
                                                      y_layout_.get(), y_layout_.get(), wanted.get(), 1, &result,
                                                      &results));
  if (results == 0)
    throw cublas_error(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmulAlgoGetHeuristic found no algorithm", __FILE__,
                       __LINE__);
  lt_algorithm_ = result.algo;
  algorithm_ = gemm_algorithm{ask<int>(result.algo, CUBLASLT_ALGO_CONFIG_ID),
                              ask<std::uint32_t>(result.algo, CUBLASLT_ALGO_CONFIG_TILE_ID),
                              ask<std::uint32_t>(result.algo, CUBLASLT_ALGO_CONFIG_STAGES_ID),
                              ask<std::int32_t>(result.algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM),
                              ask<std::uint32_t>(result.algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME)};
}

std::string to_text(const gemm_algorithm &algorithm) {
  const auto text = [](std::optional<int> value) { return value ? fmt::to_string(*value) : "unknown"; };
  return fmt::format("algorithm {} tile {} stages {} split K {} reduction {}", text(algorithm.id), text(algorithm.tile),
                     text(algorithm.stages), text(algorithm.split_k), text(algorithm.reduction_scheme));
}

} // namespace gpucert
