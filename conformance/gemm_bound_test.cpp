// SPDX-License-Identifier: Apache-2.0
// GEMM of real numbers, every element inside a bound that no correct algorithm can leave. The bound is wide: wrong bits
// are found by gemm_exact; here it is that ordinary numbers, with all their bits, are multiplied and rounded.
#include "conformance/expect.h"
#include "conformance/gemm_case.h"
#include "harness/run_settings.h"
#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <vector>

namespace gpucert {
namespace {

template <gemm_format Format>
std::vector<typename gemm_elements<Format>::input> real_data(std::size_t count, double low, std::uint64_t seed) {
  auto values = random_reals<typename gemm_elements<Format>::input>(count, low, 1, seed);
  if constexpr (Format == gemm_format::tf32)
    for (float &value : values)
      value = round_to_tf32(value); // so that the tensor cores take it as it is
  return values;
}

std::vector<gemm_shape> bound_shapes() {
  if (current_settings().scale == run_scale::tiny)
    return {gemm_shape::packed(7, 11, 13), gemm_shape::packed(5, 32, 48), gemm_shape::packed(33, 48, 80)};
  return {gemm_shape::packed(7, 11, 13), gemm_shape::packed(127, 257, 1031), gemm_shape::packed(1, 4096, 4096),
          gemm_shape::packed(64, 512, 4096), gemm_shape::packed(256, 272, 2048)};
}

template <gemm_format Format> void check_bound(gemm_library library) {
  const int compute_capability = read_compute_capability();
  const std::uint64_t seed = current_settings().seed;
  const gemm_libraries libraries;
  std::optional<std::string> reason;
  std::size_t checked = 0;
  for (const gemm_shape &packed : bound_shapes()) {
    const gemm_case what{library, with_gaps(packed, 16), 0, seed};
    if (const auto why = why_unsupported(Format, library, what.shape, 256, compute_capability)) {
      reason = why;
      continue;
    }
    ++checked;
    for (const double low : {-1.0, 0.0}) { // with one sign only, errors of cutting off add up
      const gemm_data<Format> data{real_data<Format>(packed.m * packed.k, low, seed),
                                   real_data<Format>(packed.n * packed.k, low, seed + 1)};
      ASSERT_TRUE(is_right(check_gemm_bound<Format>(libraries, what, data, compute_capability)));
    }
  }
  if (checked == 0)
    GTEST_SKIP() << reason.value_or("no shape");
}

TEST(gemm_bound, f32_cublas) { check_bound<gemm_format::f32>(gemm_library::cublas); }
TEST(gemm_bound, f32_cublas_lt) { check_bound<gemm_format::f32>(gemm_library::cublas_lt); }
TEST(gemm_bound, tf32_cublas) { check_bound<gemm_format::tf32>(gemm_library::cublas); }
TEST(gemm_bound, tf32_cublas_lt) { check_bound<gemm_format::tf32>(gemm_library::cublas_lt); }
TEST(gemm_bound, f16_cublas) { check_bound<gemm_format::f16>(gemm_library::cublas); }
TEST(gemm_bound, f16_cublas_lt) { check_bound<gemm_format::f16>(gemm_library::cublas_lt); }
TEST(gemm_bound, bf16_cublas) { check_bound<gemm_format::bf16>(gemm_library::cublas); }
TEST(gemm_bound, bf16_cublas_lt) { check_bound<gemm_format::bf16>(gemm_library::cublas_lt); }
TEST(gemm_bound, f8_cublas_lt) { check_bound<gemm_format::f8>(gemm_library::cublas_lt); }

} // namespace
} // namespace gpucert
