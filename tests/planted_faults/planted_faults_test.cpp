// SPDX-License-Identifier: Apache-2.0
// The cases of conformance/ must find each fault that is planted in a kernel, and say it rightly. Runs on the
// simulator.
#include "conformance/rmsnorm_case.h"
#include "conformance/stream_case.h"
#include "kernels/planted_faults.h"

#include <gtest/gtest.h>

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
