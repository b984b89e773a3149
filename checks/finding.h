// SPDX-License-Identifier: Apache-2.0
// What a check found: an id of the catalogue with what was seen, what was expected, and where it was read.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpucert {

/// One piece of evidence: where it was read, and what stood there.
struct evidence_item {
  std::string source;
  std::string text;

  friend bool operator==(const evidence_item &, const evidence_item &) = default;
};

/// Title, severity and action stand in the catalogue under the id; a finding holds what is peculiar to this node.
class finding {
public:
  explicit finding(std::string_view id) : id_(id) {}

  template <class... Arguments> finding &saw(fmt::format_string<Arguments...> text, Arguments &&...arguments) {
    saw_ = fmt::format(text, std::forward<Arguments>(arguments)...);
    return *this;
  }
  template <class... Arguments> finding &expected(fmt::format_string<Arguments...> text, Arguments &&...arguments) {
    expected_ = fmt::format(text, std::forward<Arguments>(arguments)...);
    return *this;
  }
  /// What follows for the person who has to act, e.g. whether a reboot would help here.
  template <class... Arguments> finding &note(fmt::format_string<Arguments...> text, Arguments &&...arguments) {
    notes_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
    return *this;
  }
  finding &read_from(std::string source, std::string text) {
    evidence_.push_back({std::move(source), std::move(text)});
    return *this;
  }
  /// The conclusion rests on circumstances, since the deciding fact itself could not be read.
  finding &is_inferred_because(std::string why) {
    inferred_because_ = std::move(why);
    return *this;
  }

  const std::string &id() const { return id_; }
  const std::string &saw() const { return saw_; }
  const std::string &expected() const { return expected_; }
  const std::vector<std::string> &notes() const { return notes_; }
  const std::vector<evidence_item> &evidence() const { return evidence_; }
  const std::optional<std::string> &inferred_because() const { return inferred_because_; }

private:
  std::string id_;
  std::string saw_;
  std::string expected_;
  std::vector<std::string> notes_;
  std::vector<evidence_item> evidence_;
  std::optional<std::string> inferred_because_;
};

} // namespace gpucert
