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
constexpr std::chrono::milliseconds between_plain_lines{10000}; // a log must not fill up, and yet show that it lives

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
  if (std::chrono::steady_clock::now() - last_write_ < (is_terminal_ ? between_writes : between_plain_lines))
    return;
  last_write_ = std::chrono::steady_clock::now();
  const std::string count =
      now.expected == 0 ? fmt::format("{}", now.ended) : fmt::format("{}/{}", now.ended, now.expected);
  const std::string text =
      fmt::format("{:<24} {:>8}  {}  {}  silent for {:.0f} s", part_, elapsed(), count,
                  now.running.empty() ? "no case" : now.running, std::chrono::duration<double>(now.silent).count());
  if (is_terminal_)
    rewrite(text);
  else
    fmt::print(stderr, "{}\n", text);
}

void progress::end(const std::string &result) {
  if (is_terminal_)
    rewrite("");
  fmt::print(stderr, "{:<24} {:>8}  {}\n", part_, elapsed(), result);
}

} // namespace gpucert
