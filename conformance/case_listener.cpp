// SPDX-License-Identifier: Apache-2.0
// From GoogleTest to case lines.
#include "conformance/case_listener.h"

#include "conformance/case_level.h"
#include "kernels/cuda_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace gpucert {
namespace {

struct stated_level {
  std::string pattern;
  run_level lowest;
};

std::vector<stated_level> &stated_levels() {
  static std::vector<stated_level> levels;
  return levels;
}

std::string place_of(const testing::TestPartResult &part) {
  return part.file_name() ? fmt::format("{}:{}: ", part.file_name(), part.line_number()) : std::string();
}

std::string trimmed(std::string text) {
  const auto end = text.find_last_not_of(" \n");
  text.erase(end == text.npos ? 0 : end + 1);
  return text;
}

/// The first message, and how many more there are.
std::string joined(const std::vector<std::string> &messages) {
  return messages.size() == 1 ? messages[0] : fmt::format("{} (and {} more)", messages[0], messages.size() - 1);
}

} // namespace

case_level::case_level(std::string pattern, run_level lowest) {
  stated_levels().push_back({std::move(pattern), lowest});
}

run_level lowest_level_of(std::string_view case_id) {
  run_level level = run_level::quick;
  for (const stated_level &stated : stated_levels())
    if (matches_glob(stated.pattern, case_id))
      level = std::max(level, stated.lowest);
  return level;
}

std::string case_id_of(const testing::TestInfo &test) {
  return fmt::format("conformance.{}.{}", test.test_suite_name(), test.name());
}

case_listener::case_listener(case_writer &lines, std::function<std::optional<leftover_error>()> take_leftover)
    : lines_(lines), take_leftover_(std::move(take_leftover)) {}

void case_listener::OnTestStart(const testing::TestInfo &test) {
  if (is_device_lost_)
    return; // with fail_fast GoogleTest starts and ends the rest in name only
  failures_.clear();
  errors_.clear();
  skip_reason_.reset();
  cuda_error_.reset();
  lines_.write(start_line(case_id_of(test)));
  announced_.emplace(case_id_of(test));
}

void case_listener::OnTestPartResult(const testing::TestPartResult &part) {
  if (part.skipped())
    skip_reason_ = trimmed(part.message());
  else if (part.failed())
    take_failure(part);
}

void case_listener::take_failure(const testing::TestPartResult &part) {
  const std::exception_ptr thrown = std::current_exception(); // GoogleTest reports an exception while it handles it
  if (!thrown) {
    failures_.push_back(place_of(part) + trimmed(part.message()));
    return;
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const cuda_error &error) {
    cuda_error_ = error.code();
    errors_.emplace_back(error.what());
  } catch (const std::exception &error) {
    errors_.emplace_back(error.what());
  } catch (...) {
    errors_.push_back(trimmed(part.message()));
  }
}

void case_listener::take_leftover() {
  const auto leftover = take_leftover_();
  if (!leftover)
    return;
  errors_.push_back(leftover->failure.reason);
  cuda_error_ = cuda_error_.value_or(leftover->failure.code);
  is_device_lost_ = leftover->is_sticky;
}

case_end case_listener::judge(const testing::TestInfo &test) const {
  case_end end;
  end.name = case_id_of(test);
  end.seconds = static_cast<double>(test.result()->elapsed_time()) * 1e-3;
  end.cuda_error = cuda_error_;
  if (!failures_.empty()) { // a wrong result is worse than what came after it
    end.outcome = case_outcome::fail;
    end.reason = joined(failures_);
  } else if (!errors_.empty()) {
    end.outcome = case_outcome::error;
    end.reason = joined(errors_);
  } else if (skip_reason_) {
    end.outcome = skip_reason_->empty() ? case_outcome::error : case_outcome::skip;
    end.reason = skip_reason_->empty() ? "the test was skipped without a reason" : *skip_reason_;
  } else {
    end.outcome = case_outcome::pass;
  }
  return end;
}

void case_listener::OnTestEnd(const testing::TestInfo &test) {
  if (is_device_lost_)
    return;
  take_leftover();
  announced_.reset();
  const case_end end = judge(test);
  lines_.write(to_line(end));
  ++ended_;
  const bool is_bad = end.outcome == case_outcome::fail || end.outcome == case_outcome::error;
  bad_ += is_bad;
  if (is_bad && !test.result()->Failed())
    ADD_FAILURE() << end.reason; // so that what GoogleTest prints agrees with the line
  if (is_device_lost_)
    GTEST_FLAG_SET(fail_fast, true); // all later tests would fail for this one
}

} // namespace gpucert
