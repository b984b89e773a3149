// SPDX-License-Identifier: Apache-2.0
// GEMM of integers, at zero tolerance: every sum and every partial sum is exact, so that any algorithm, split or order
// gives the same bits, and any wrong bit is seen. Y is NaN before (beta = 0 must overwrite it), and so are all gaps.
#include "conformance/expect.h"
#include "conformance/gemm_case.h"
#include "harness/run_settings.h"
#include "kernels/gemm.h"

#include <climits>
#include <gtest/gtest.h>

#include <vector>

namespace gpucert {
namespace {

/// Integers up to `limit` in magnitude whose products' sums the accumulator holds (most_exact_k), and whose results
/// have no more than `most_sum`: the output type holds those exactly, however it rounds.
struct exact_range {
  int limit;
  std::size_t most_sum;
};

exact_range range_of(gemm_format format) {
  switch (format) {
  case gemm_format::f32:
  case gemm_format::tf32:
    return {3, std::size_t{1} << 23};
  case gemm_format::f16:
    return {1, 1 << 11};
  case gemm_format::bf16:
  case gemm_format::f8: // its result is bf16
    return {1, 1 << 8};
  case gemm_format::s8:
    return {127, INT_MAX};
  }
  throw std::invalid_argument("no such GEMM format");
}

/// Integers everywhere; in rows of W that could sum to too much, at random places only, different ones in each row.
template <gemm_format Format> gemm_data<Format> exact_data(const gemm_shape &shape, std::uint64_t seed) {
  using input = typename gemm_elements<Format>::input;
  const auto [limit, most_sum] = range_of(Format);
  if (shape.k > most_exact_k(Format, limit, limit))
    throw std::invalid_argument(fmt::format("K {} is too large for exact sums in {}", shape.k, name_of(Format)));
  gemm_data<Format> data{random_integers<input>(shape.m * shape.k, -limit, limit, seed),
                         random_integers<input>(shape.n * shape.k, -limit, limit, seed + 1)};
  const std::size_t most_places = most_sum / static_cast<std::size_t>(limit * limit);
  if (shape.k <= most_places)
    return data;
  std::fill(data.w.begin(), data.w.end(), round_to<input>(0));
  random_source source(seed + 2);
  for (std::size_t row = 0; row < shape.n; ++row)
    for (std::size_t place = 0; place < most_places; ++place)
      data.w[row * shape.k + source.next() % shape.k] = round_to<input>(source.next() % 2 == 0 ? limit : -limit);
  return data;
}

/// Nothing, one, primes, tiles and their neighbours; the second half has the multiples that s8 and f8 need.
std::vector<gemm_shape> exact_shapes() {
  std::vector<gemm_shape> shapes;
  const auto add = [&](std::size_t m, std::size_t n, std::size_t k) { shapes.push_back(gemm_shape::packed(m, n, k)); };
  add(0, 8, 8);
  add(8, 0, 8);
  add(1, 1, 1);
  add(2, 3, 5);
  add(17, 19, 23);
  add(31, 33, 32);
  add(65, 63, 37);
  add(1, 16, 16);
  add(3, 32, 48);
  add(16, 64, 16);
  add(33, 48, 80);
  if (current_settings().scale == run_scale::tiny)
    return shapes;
  add(127, 129, 131);
  add(257, 255, 1023);
  add(1, 4099, 1031);
  add(128, 128, 128);
  add(129, 144, 272);
  add(64, 1024, 4096); // more work along K than tiles: the libraries split K
  add(16, 16, 8192);
  add(512, 768, 1024);
  return shapes;
}

template <gemm_format Format> void check_exact(gemm_library library) {
  const int compute_capability = read_compute_capability();
  const gemm_libraries libraries;
  std::optional<std::string> reason;
  std::size_t checked = 0;
  const auto check = [&](const gemm_shape &shape, std::size_t start) {
    const gemm_case what{library, shape, start, current_settings().seed};
    if (const auto why = why_unsupported(Format, library, shape, what.alignment_bytes<Format>(), compute_capability)) {
      reason = why;
      return testing::AssertionSuccess();
    }
    ++checked;
    return is_right(check_gemm_exact<Format>(libraries, what, exact_data<Format>(shape, what.seed)));
  };
  for (const gemm_shape &shape : exact_shapes()) {
    ASSERT_TRUE(check(shape, 0));
    ASSERT_TRUE(check(with_gaps(shape, 16), 0));
    ASSERT_TRUE(check(shape, 1));
  }
  if (checked == 0)
    GTEST_SKIP() << reason.value_or("no shape");
}

TEST(gemm_exact, f32_cublas) { check_exact<gemm_format::f32>(gemm_library::cublas); }
TEST(gemm_exact, f32_cublas_lt) { check_exact<gemm_format::f32>(gemm_library::cublas_lt); }
TEST(gemm_exact, tf32_cublas) { check_exact<gemm_format::tf32>(gemm_library::cublas); }
TEST(gemm_exact, tf32_cublas_lt) { check_exact<gemm_format::tf32>(gemm_library::cublas_lt); }
TEST(gemm_exact, f16_cublas) { check_exact<gemm_format::f16>(gemm_library::cublas); }
TEST(gemm_exact, f16_cublas_lt) { check_exact<gemm_format::f16>(gemm_library::cublas_lt); }
TEST(gemm_exact, bf16_cublas) { check_exact<gemm_format::bf16>(gemm_library::cublas); }
TEST(gemm_exact, bf16_cublas_lt) { check_exact<gemm_format::bf16>(gemm_library::cublas_lt); }
TEST(gemm_exact, s8_cublas) { check_exact<gemm_format::s8>(gemm_library::cublas); }
TEST(gemm_exact, s8_cublas_lt) { check_exact<gemm_format::s8>(gemm_library::cublas_lt); }
TEST(gemm_exact, f8_cublas_lt) { check_exact<gemm_format::f8>(gemm_library::cublas_lt); }

/// A shape of Llama-3-8B (qkv at 4096 tokens), every element by checksums, which are exact too.
template <gemm_format Format> void check_large(gemm_library library) {
  const gemm_shape shape = current_settings().scale == run_scale::full ? gemm_shape::packed(4096, 6144, 4096)
                                                                       : gemm_shape::packed(32, 48, 32);
  const gemm_case what{library, shape, 0, current_settings().seed};
  if (const auto why = why_unsupported(Format, library, shape, 256, read_compute_capability()))
    GTEST_SKIP() << *why;
  const gemm_libraries libraries;
  const gemm_data<Format> data = exact_data<Format>(shape, what.seed);
  const gemm_outcome<Format> outcome = run_gemm(libraries, what, data);
  const auto wrong = find_wrong_checksum(data.x, data.w, outcome.y, shape, what.seed);
  EXPECT_FALSE(wrong) << outcome.array.name << ": " << *wrong;
  EXPECT_TRUE(is_right(outcome.damage));
}

TEST(gemm_exact, large_f32) { check_large<gemm_format::f32>(gemm_library::cublas); }
TEST(gemm_exact, large_tf32) { check_large<gemm_format::tf32>(gemm_library::cublas); }
TEST(gemm_exact, large_f16) { check_large<gemm_format::f16>(gemm_library::cublas); }
TEST(gemm_exact, large_bf16) { check_large<gemm_format::bf16>(gemm_library::cublas); }
TEST(gemm_exact, large_s8) { check_large<gemm_format::s8>(gemm_library::cublas); }
TEST(gemm_exact, large_f8) { check_large<gemm_format::f8>(gemm_library::cublas_lt); }

} // namespace
} // namespace gpucert
