// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct support_row {
  const char *name;
  gemm_format format;
  gemm_library library;
  gemm_shape shape;
  std::size_t alignment_bytes;
  int compute_capability;
  const char *reason; // null: supported
};

const gemm_shape odd = gemm_shape::packed(3, 5, 7);
const gemm_shape even = gemm_shape::packed(1, 16, 32); // M need not be a multiple

TEST(gemm_support, says_why_not) {
  const support_row rows[] = {
      {"f32 of any shape", gemm_format::f32, gemm_library::cublas, odd, 4, 75, nullptr},
      {"f16 on T4", gemm_format::f16, gemm_library::cublas_lt, odd, 2, 75, nullptr},
      {"bf16 on T4", gemm_format::bf16, gemm_library::cublas, odd, 2, 75,
       "bf16 needs compute capability 8.0, this GPU has 7.5"},
      {"tf32 on T4", gemm_format::tf32, gemm_library::cublas, odd, 4, 75,
       "tf32 needs compute capability 8.0, this GPU has 7.5"},
      {"bf16 on A100", gemm_format::bf16, gemm_library::cublas, odd, 2, 80, nullptr},
      {"s8 in fours", gemm_format::s8, gemm_library::cublas, even, 4, 75, nullptr},
      {"s8 at an odd address", gemm_format::s8, gemm_library::cublas, even, 1, 75,
       "s8 needs addresses and rows of 4 bytes"},
      {"s8 of odd K", gemm_format::s8, gemm_library::cublas, gemm_shape::packed(1, 16, 31), 256, 75,
       "s8 needs addresses and rows of 4 bytes"},
      {"f8 by cuBLAS", gemm_format::f8, gemm_library::cublas, even, 256, 90, "f8 is done by cuBLASLt only"},
      {"f8 on A100", gemm_format::f8, gemm_library::cublas_lt, even, 256, 80,
       "f8 needs compute capability 8.9, this GPU has 8.0"},
      {"f8 on H200", gemm_format::f8, gemm_library::cublas_lt, even, 256, 90, nullptr},
      {"f8 of odd K", gemm_format::f8, gemm_library::cublas_lt, gemm_shape::packed(16, 16, 24), 256, 90,
       "f8 needs addresses and rows of 16 bytes"},
  };
  for (const support_row &row : rows) {
    const auto reason =
        why_unsupported(row.format, row.library, row.shape, row.alignment_bytes, row.compute_capability);
    EXPECT_EQ(reason.value_or(""), row.reason == nullptr ? "" : row.reason) << row.name;
  }
}

TEST(gemm_support, work_counts_each_matrix_once) {
  const work done = work_of_gemm(gemm_format::bf16, gemm_shape::packed(64, 6144, 4096));
  EXPECT_EQ(done.operations, 2.0 * 64 * 6144 * 4096);
  EXPECT_EQ(done.memory_bytes, 2.0 * (64 * 4096 + 6144 * 4096 + 64 * 6144));
  EXPECT_EQ(work_of_gemm(gemm_format::s8, gemm_shape::packed(4, 4, 4)).memory_bytes, 2 * 16 + 4 * 16);
}

TEST(gemm_support, formats_have_names_of_their_own) {
  EXPECT_EQ(name_of(gemm_format::f8), "f8");
  EXPECT_EQ(input_bytes_of(gemm_format::f8), 1u);
  EXPECT_EQ(output_bytes_of(gemm_format::f8), 2u);
  EXPECT_EQ(unit_of(gemm_format::tf32), math_unit::tf32);
}

} // namespace
} // namespace gpucert
