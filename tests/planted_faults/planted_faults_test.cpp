// SPDX-License-Identifier: Apache-2.0
// The cases of conformance/ must find each fault that is planted in a kernel, and say it rightly. Runs on the
// simulator.
#include "conformance/rmsnorm_case.h"
#include "conformance/stream_case.h"
#include "kernels/cuda_error.h"
#include "kernels/planted_faults.h"

#include <gtest/gtest.h>

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <initializer_list>

namespace gpucert {
namespace {

using testing::HasSubstr;
using testing::Optional;

std::optional<std::string> check_copy(std::size_t count, const stream_launch<float> &launch) {
  return check_stream<float>({stream_kernel::copy, count, {}, 20240612}, launch);
}

TEST(planted_faults, write_past_end) {
  for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 255, 256, 1021, 1024})
    EXPECT_THAT(check_copy(count, launch_stream_past_end<float>),
                Optional(HasSubstr("a write out of bounds of c, 1 bytes after the last byte")));
}

#ifdef GPUCERT_WITH_ADDRESS_SANITIZER

/// Both arrays end where their allocations end: there is no guard zone that could take the write and tell of it later.
template <class Launch> void copy_unguarded(std::size_t count, Launch launch) {
  float *a = nullptr;
  float *c = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&a, count * sizeof(float)));
  GPUCERT_CUDA_CHECK(cudaMalloc(&c, count * sizeof(float)));
  stream_arrays<float> arrays;
  arrays.a = a;
  arrays.c = c;
  arrays.count = count;
  launch(stream_kernel::copy, arrays, 0.0F, nullptr);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  GPUCERT_CUDA_CHECK(cudaFree(a));
  GPUCERT_CUDA_CHECK(cudaFree(c));
}

TEST(planted_faults, write_past_end_is_seen_by_address_sanitizer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::size_t count : std::initializer_list<std::size_t>{1, 255, 1021, 1024}) {
    copy_unguarded(count, launch_stream_short_tail<float>); // wrong, and within its bounds
    EXPECT_DEATH(copy_unguarded(count, launch_stream_past_end<float>), "AddressSanitizer.*\n.*WRITE of size 4")
        << count;
  }
}

#endif

TEST(planted_faults, short_tail) {
  EXPECT_THAT(check_copy(1021, launch_stream_short_tail<float>),
              Optional(HasSubstr("1 of 1021 elements wrong, the first at 1020: found -nan (0xffffffff)")));
  EXPECT_THAT(check_copy(1, launch_stream_short_tail<float>), Optional(HasSubstr("1 of 1 elements wrong")));
  EXPECT_EQ(check_copy(1024, launch_stream_short_tail<float>), std::nullopt); // no tail: round sizes alone find nothing
}

TEST(planted_faults, idle_block) {
  EXPECT_THAT(check_copy(1021, launch_stream_idle_block<float>),
              Optional(HasSubstr("253 of 1021 elements wrong, the first at 768: found -nan (0xffffffff)")));
}

// Found only in orders in which a warp gets a whole barrier ahead of another: CTest chooses them.
TEST(planted_faults, missing_barrier) {
  EXPECT_THAT(check_rmsnorm<float>({8, 1031, 0, 4, 20240612}, launch_rmsnorm_without_barrier<float>),
              Optional(HasSubstr("elements wrong")));
}

} // namespace
} // namespace gpucert
