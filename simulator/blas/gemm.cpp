// SPDX-License-Identifier: Apache-2.0
#include "simulator/blas/gemm.h"

#include "simulator/blas/element.h"
#include "simulator/runtime/api_simulator.h"

#include <algorithm>
#include <vector>

namespace gpucert::simulator {
namespace {

struct extent {
  std::int64_t rows;
  std::int64_t columns;
};

extent stored_extent(const gemm_matrix &matrix, std::int64_t rows, std::int64_t columns) {
  return matrix.is_transposed ? extent{columns, rows} : extent{rows, columns};
}

std::size_t stored_bytes(const gemm_matrix &matrix, extent size) {
  if (size.rows == 0 || size.columns == 0)
    return 0;
  return static_cast<std::size_t>((size.columns - 1) * matrix.stride + size.rows) * bytes_of(matrix.type);
}

bool may_touch(const gemm_request &request) {
  const auto is_whole = [](const gemm_matrix &matrix, std::int64_t rows, std::int64_t columns) {
    const std::size_t bytes = stored_bytes(matrix, stored_extent(matrix, rows, columns));
    return bytes == 0 || gpucert_simulator_is_readable(matrix.start, bytes);
  };
  return is_whole(request.a, request.m, request.k) && is_whole(request.b, request.k, request.n) &&
         is_whole(request.d, request.m, request.n) && (request.beta == 0 || is_whole(request.c, request.m, request.n));
}

/// op(matrix) with rows together, in the type of the sums.
template <class Sum>
std::vector<Sum> unpack(const gemm_matrix &matrix, std::int64_t rows, std::int64_t columns, bool rounds_to_tf32) {
  std::vector<Sum> values(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t at = matrix.is_transposed ? row * matrix.stride + column : column * matrix.stride + row;
      Sum value = load_element<Sum>(matrix.start, matrix.type, at);
      if constexpr (std::is_same_v<Sum, float>)
        if (rounds_to_tf32)
          value = round_to_tf32(value);
      values[static_cast<std::size_t>(row * columns + column)] = value;
    }
  return values;
}

/// Sums run along k, one product after another.
template <class Sum>
void add_products(std::vector<Sum> &sums, const Sum *a_row, const std::vector<Sum> &b, std::int64_t k) {
  std::fill(sums.begin(), sums.end(), Sum{0});
  for (std::int64_t at = 0; at < k; ++at) {
    const Sum factor = a_row[at];
    const Sum *const b_row = b.data() + static_cast<std::size_t>(at) * sums.size();
    for (std::size_t column = 0; column < sums.size(); ++column)
      sums[column] += factor * b_row[column];
  }
}

template <class Sum> void multiply(const gemm_request &request) {
  const std::vector<Sum> a = unpack<Sum>(request.a, request.m, request.k, request.rounds_to_tf32);
  const std::vector<Sum> b = unpack<Sum>(request.b, request.k, request.n, request.rounds_to_tf32);
  auto alpha = static_cast<Sum>(request.alpha);
  const auto beta = static_cast<Sum>(request.beta);
  for (const float *scale : {request.a_scale, request.b_scale})
    if (scale)
      alpha *= static_cast<Sum>(*scale);
  std::vector<Sum> sums(static_cast<std::size_t>(request.n));
  for (std::int64_t row = 0; row < request.m; ++row) {
    add_products(sums, a.data() + row * request.k, b, request.k);
    for (std::int64_t column = 0; column < request.n; ++column) {
      Sum value = alpha * sums[static_cast<std::size_t>(column)];
      if (request.beta != 0) // C is not read otherwise: it may hold NaN
        value += beta * load_element<Sum>(request.c.start, request.c.type, column * request.c.stride + row);
      store_element(const_cast<void *>(request.d.start), request.d.type, column * request.d.stride + row, value);
    }
  }
}

/// The fault wrong-gemm-element: what an undetected error of one multiplier looks like.
void spoil_element(const gemm_request &request) {
  const std::int64_t at = request.n / 2 * request.d.stride + request.m / 2;
  if (request.has_integer_sums)
    store_element(const_cast<void *>(request.d.start), request.d.type, at,
                  load_element<std::int32_t>(request.d.start, request.d.type, at) + 1);
  else
    store_element(const_cast<void *>(request.d.start), request.d.type, at,
                  load_element<float>(request.d.start, request.d.type, at) * 1.25F + 1);
}

int run(void *argument) {
  const auto &request = *static_cast<const gemm_request *>(argument);
  if (!may_touch(request))
    return 1;
  if (request.has_integer_sums)
    multiply<std::int32_t>(request);
  else
    multiply<float>(request);
  const fault *wrong = gpucert_simulator_what()->faults.find(fault_name::wrong_gemm_element);
  if (gpucert_simulator_count_gemm() == (wrong ? *wrong->number : 0) && request.m > 0 && request.n > 0)
    spoil_element(request);
  return 0;
}

} // namespace

gemm_refusal refuse(const gemm_request &request) {
  if (request.m < 0 || request.n < 0 || request.k < 0)
    return gemm_refusal::invalid;
  const auto has_short_stride = [](const gemm_matrix &matrix, std::int64_t rows, std::int64_t columns) {
    return matrix.stride < std::max<std::int64_t>(1, stored_extent(matrix, rows, columns).rows);
  };
  if (has_short_stride(request.a, request.m, request.k) || has_short_stride(request.b, request.k, request.n) ||
      has_short_stride(request.d, request.m, request.n))
    return gemm_refusal::invalid;
  for (const gemm_matrix &matrix : {request.a, request.b, request.d})
    if (bytes_of(matrix.type) == 0)
      return gemm_refusal::unsupported;
  const simulation &what = *gpucert_simulator_what();
  const int capability = what.gpu.compute_major * 10 + what.gpu.compute_minor;
  constexpr int first_with_f8 = 89;
  return unit_of(request) == math_unit::f8 && capability < first_with_f8 ? gemm_refusal::unsupported
                                                                         : gemm_refusal::none;
}

math_unit unit_of(const gemm_request &request) {
  switch (request.a.type) {
  case CUDA_R_16F:
    return math_unit::f16;
  case CUDA_R_16BF:
    return math_unit::bf16;
  case CUDA_R_8I:
    return math_unit::s8;
  case CUDA_R_8F_E4M3:
    return math_unit::f8;
  default:
    return request.rounds_to_tf32 ? math_unit::tf32 : math_unit::f32;
  }
}

work work_of(const gemm_request &request) {
  const auto m = static_cast<double>(request.m);
  const auto n = static_cast<double>(request.n);
  const auto k = static_cast<double>(request.k);
  work done;
  done.memory_bytes = static_cast<double>(bytes_of(request.a.type)) * m * k +
                      static_cast<double>(bytes_of(request.b.type)) * k * n +
                      static_cast<double>(bytes_of(request.d.type)) * m * n * (request.beta == 0 ? 1 : 2);
  done.operations = 2 * m * n * k;
  done.unit = unit_of(request);
  return done;
}

bool submit(const gemm_request &request, cudaStream_t stream) {
  const work done = work_of(request);
  return gpucert_simulator_submit(stream, &done, run, new gemm_request(request),
                                  [](void *argument) { delete static_cast<gemm_request *>(argument); }) == 0;
}

} // namespace gpucert::simulator
