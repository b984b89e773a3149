// SPDX-License-Identifier: Apache-2.0
// From GoogleTest to case lines.
#pragma once

#include "harness/case_writer.h"
#include "harness/clock.h"
#include "harness/device.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpucert {

/// The id of a test: conformance.SUITE.TEST.
std::string case_id_of(const testing::TestInfo &test);

/// Writes the start and the end of each test, and counts.
///
/// A failed assertion is a failure; an exception and an error that CUDA still holds afterwards are errors; a skip
/// without a reason is an error. When the device is lost, no further test is started.
class case_listener : public testing::EmptyTestEventListener {
public:
  /// `take_leftover` asks CUDA for errors that the test did not report.
  case_listener(case_writer &lines, std::function<std::optional<leftover_error>()> take_leftover);

  void OnTestStart(const testing::TestInfo &test) override;
  void OnTestPartResult(const testing::TestPartResult &part) override;
  void OnTestEnd(const testing::TestInfo &test) override;

  int ended() const { return ended_; }
  int bad() const { return bad_; } // failures and errors
  bool is_device_lost() const { return is_device_lost_; }

private:
  void take_failure(const testing::TestPartResult &part);
  void take_leftover();
  case_end judge(const testing::TestInfo &test) const;

  case_writer &lines_;
  std::function<std::optional<leftover_error>()> take_leftover_;
  // Of the running test:
  std::optional<announced_case> announced_;
  std::vector<std::string> failures_;
  std::vector<std::string> errors_;
  std::optional<std::string> skip_reason_;
  std::optional<int> cuda_error_;

  int ended_ = 0;
  int bad_ = 0;
  bool is_device_lost_ = false;
};

} // namespace gpucert
