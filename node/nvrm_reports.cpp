// SPDX-License-Identifier: Apache-2.0
#include "node/nvrm_reports.h"

#include "node/text_lines.h"

#include <charconv>

namespace gpucert {
namespace {

/// The text between two phrases; the second one is searched behind the first.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
  const auto start = text.find(before);
  if (start == text.npos)
    return std::nullopt;
  const std::string_view rest = text.substr(start + before.size());
  const auto stop = rest.find(after);
  return stop == rest.npos ? std::nullopt : std::optional(rest.substr(0, stop));
}

std::optional<driver_release> release_after(std::string_view text, std::string_view phrase) {
  const auto at = text.find(phrase);
  return at == text.npos ? std::nullopt : driver_release::parse_prefix(text.substr(at + phrase.size()));
}

void read_client(std::string_view statement, api_mismatch &mismatch) {
  const auto name = between(statement, "the client '", "' (pid ");
  if (!name)
    return;
  mismatch.client_name = *name;
  const std::string_view digits = statement.substr(statement.find("' (pid ") + std::string_view("' (pid ").size());
  int pid = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), pid).ec == std::errc{})
    mismatch.client_pid = pid;
}

} // namespace

std::optional<api_mismatch> parse_api_mismatch(std::string_view statement) {
  const auto split = statement.find("but this kernel module has");
  if (split == statement.npos)
    return std::nullopt;
  const auto client = release_after(statement.substr(0, split), "has the version ");
  const auto module = release_after(statement.substr(split), "the version ");
  if (!client || !module)
    return std::nullopt;
  api_mismatch mismatch{*client, {*module}, {}, {}, {}, {}};
  read_client(statement.substr(0, split), mismatch);
  return mismatch;
}

std::optional<other_driver_report> parse_other_driver(std::string_view message) {
  constexpr std::string_view bound = " is already bound to ";
  if (const auto at = message.find(bound); at != message.npos) {
    other_driver_report report;
    report.text = message;
    if (const auto address = between(message, "NVRM: GPU ", bound))
      report.address = *address;
    std::string_view driver = trim(message.substr(at + bound.size()));
    while (driver.ends_with('.'))
      driver.remove_suffix(1);
    report.driver = driver;
    return report;
  }
  if (message.find("probe routine was not called for") != message.npos)
    return other_driver_report{std::nullopt, std::nullopt, std::string(message)};
  return std::nullopt;
}

} // namespace gpucert
