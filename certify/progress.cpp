// SPDX-License-Identifier: Apache-2.0
#include "certify/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace gpucert {
namespace {

// A terminal that cannot move its cursor says so in TERM; a person who wants no escapes sets NO_COLOR (no-color.org).
bool can_rewrite_lines() {
  const char *terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

constexpr std::chrono::milliseconds between_writes{100};

} // namespace

progress::progress() : is_terminal_(can_rewrite_lines()) {}

std::string progress::elapsed() const {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  return fmt::format("{:.1f} s", seconds.count());
}

void progress::rewrite(const std::string &line) { fmt::print(stderr, "\r\x1b[K{}", line); }

void progress::begin(std::string part) {
  part_ = std::move(part);
  start_ = last_write_ = std::chrono::steady_clock::now();
  if (is_terminal_)
    rewrite(part_);
}

void progress::update(const case_progress &now) {
  if (!is_terminal_ || std::chrono::steady_clock::now() - last_write_ < between_writes)
    return;
  last_write_ = std::chrono::steady_clock::now();
  rewrite(fmt::format("{}  {}/{}  {}  {}", part_, now.ended, now.expected, elapsed(), now.running));
}

void progress::end(const std::string &result) {
  if (is_terminal_)
    rewrite("");
  fmt::print(stderr, "{:<24} {:>8}  {}\n", part_, elapsed(), result);
}

} // namespace gpucert
