// SPDX-License-Identifier: Apache-2.0
// STREAM: each kernel bit by bit against the host, at sizes around vectors, warps and blocks, from unaligned starts
// too.
#include "conformance/expect.h"
#include "conformance/stream_case.h"
#include "harness/run_settings.h"
#include "kernels/stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace gpucert {
namespace {

constexpr std::size_t small_counts[] = {0,   1,   2,   3,   4,   5,   7,    8,    9,    31,   32,  33,
                                        127, 128, 129, 255, 256, 257, 1021, 1023, 1024, 1025, 1031};
constexpr std::array<std::size_t, 3> unaligned_starts[] = {{1, 1, 1}, {0, 1, 0}, {1, 0, 0}, {0, 0, 3}, {2, 2, 2}};

/// Tails of every length behind many blocks; at full scale more than dot has threads, so that they go on in strides.
std::vector<std::size_t> large_counts() {
  const std::size_t blocks = current_settings().choose(std::size_t{1} << 24, 4096);
  return {blocks, blocks + 1, blocks + 2, blocks + 3, blocks + 3 * 1024 - 1};
}

template <class T> void check_all(stream_kernel kernel) {
  const std::uint64_t seed = current_settings().seed;
  const auto check = [&](std::size_t count, const std::array<std::size_t, 3> &starts) {
    return is_right(check_stream<T>({kernel, count, starts, seed}, launch_stream<T>));
  };
  for (const std::size_t count : small_counts) {
    ASSERT_TRUE(check(count, {}));
    if (count > 64 && current_settings().scale == run_scale::tiny)
      continue;
    for (const auto &starts : unaligned_starts)
      ASSERT_TRUE(check(count, starts));
  }
  for (const std::size_t count : large_counts())
    ASSERT_TRUE(check(count, {}));
  ASSERT_TRUE(check(1031, {1, 1, 1}));
  ASSERT_TRUE(check(large_counts().back(), {1, 0, 1}));
}

TEST(stream, copy_f32) { check_all<float>(stream_kernel::copy); }
TEST(stream, copy_f64) { check_all<double>(stream_kernel::copy); }
TEST(stream, mul_f32) { check_all<float>(stream_kernel::mul); }
TEST(stream, mul_f64) { check_all<double>(stream_kernel::mul); }
TEST(stream, add_f32) { check_all<float>(stream_kernel::add); }
TEST(stream, add_f64) { check_all<double>(stream_kernel::add); }
TEST(stream, triad_f32) { check_all<float>(stream_kernel::triad); }
TEST(stream, triad_f64) { check_all<double>(stream_kernel::triad); }
TEST(stream, dot_f32) { check_all<float>(stream_kernel::dot); }
TEST(stream, dot_f64) { check_all<double>(stream_kernel::dot); }

TEST(stream, copy_keeps_every_bit) {
  const std::size_t count = current_settings().choose(1000003, 4099); // primes
  const stream_case what{stream_kernel::copy, count, {}, current_settings().seed, true};
  EXPECT_TRUE(is_right(check_stream<float>(what, launch_stream<float>)));
  EXPECT_TRUE(is_right(check_stream<double>(what, launch_stream<double>)));
}

} // namespace
} // namespace gpucert
