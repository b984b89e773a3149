// SPDX-License-Identifier: Apache-2.0
// What the functions of kernels/verify.h and the cases of this folder say, as a result of GoogleTest.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace gpucert {

/// EXPECT_TRUE(is_right(find_...(...))): fails with the words of what is wrong.
inline testing::AssertionResult is_right(const std::optional<std::string> &wrong) {
  return wrong ? testing::AssertionFailure() << *wrong : testing::AssertionSuccess();
}

} // namespace gpucert
