// SPDX-License-Identifier: Apache-2.0
#include "node/dkms.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gpucert {
namespace {

// "installed-weak" begins with "installed".
constexpr std::array<std::pair<std::string_view, dkms_state>, 5> state_words{
    {{"installed-weak", dkms_state::installed_weak},
     {"installed", dkms_state::installed},
     {"built", dkms_state::built},
     {"added", dkms_state::added},
     {"broken", dkms_state::broken}}};

/// The part of `text` before the next `mark`, which is taken off together with it.
std::string_view take_until(std::string_view &text, std::string_view marks) {
  const auto end = std::min(text.find_first_of(marks), text.size());
  const std::string_view part = trim(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<dkms_entry> parse_entry(std::string_view line) {
  // The state follows the last ": " before any remark; versions and kernels hold no colon.
  const auto colon = line.find(": ");
  if (colon == line.npos)
    return std::nullopt;
  const std::string_view state = trim(line.substr(colon + 2));
  const auto word = std::find_if(state_words.begin(), state_words.end(),
                                 [&](const auto &known) { return state.starts_with(known.first); });
  if (word == state_words.end())
    return std::nullopt;
  dkms_entry entry;
  std::string_view subject = line.substr(0, colon);
  entry.module = take_until(subject, "/,");
  entry.version = take_until(subject, ",");
  if (const std::string_view kernel = take_until(subject, ","); !kernel.empty())
    entry.kernel = kernel;
  entry.state = word->second;
  entry.differs = contains_ignoring_case(state, "diff between built and installed") ||
                  contains_ignoring_case(state, "differences between built and installed");
  entry.is_missing = contains_ignoring_case(state, "built modules are missing");
  entry.text = line;
  if (entry.module.empty() || entry.version.empty() || entry.module.find(' ') != std::string::npos)
    return std::nullopt;
  return entry;
}

} // namespace

std::optional<driver_release> dkms_entry::release() const {
  const auto digit = version.find_first_of("0123456789"); // srv-535.230.02
  return digit == version.npos ? std::nullopt : driver_release::parse_prefix(std::string_view(version).substr(digit));
}

dkms_status parse_dkms_status(std::string_view text) {
  dkms_status status;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (contains_ignoring_case(line, "could not locate dkms.conf")) {
      status.error = line;
    } else if (constexpr std::string_view file = "File: "; status.error && line.starts_with(file)) {
      const std::string_view rest = line.substr(file.size());
      status.missing_file = rest.substr(0, rest.find(" does not exist"));
    } else if (auto entry = parse_entry(line)) {
      status.entries.push_back(*std::move(entry));
    }
  }
  return status;
}

fact<dkms_status> read_dkms_status(host &node) {
  return node.read_document("commands/dkms_status.txt", [&] { return describe_dkms_tree(node); })
      .then([](const std::string &text) { return std::optional(parse_dkms_status(text)); }, "is not readable");
}

} // namespace gpucert
