// SPDX-License-Identifier: Apache-2.0
// What came of asking the node for something: the answer, or that there is none, or why nobody knows.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace gpucert {

/// The outcome of one question to the node. Three outcomes, since "there is none" is an answer and "could not be
/// read" is not: the first may be judged, the second makes a check unknown.
template <class T> struct fact {
  std::optional<T> value;
  /// Where it was read, as the node names it: "/proc/driver/nvidia/version", "modinfo nvidia".
  std::string source;
  /// Why nobody knows. Absent when the node answered, be it with a value or with "there is none".
  std::optional<std::string> problem = "was not asked for";

  static fact known(T value, std::string source) { return {std::move(value), std::move(source), std::nullopt}; }
  static fact absent(std::string source) { return {std::nullopt, std::move(source), std::nullopt}; }
  static fact unknown(std::string source, std::string why) { return {std::nullopt, std::move(source), std::move(why)}; }

  bool is_known() const { return value.has_value(); }
  bool is_absent() const { return !value && !problem; }
  bool is_unknown() const { return problem.has_value(); }

  const T &operator*() const { return *value; }
  const T *operator->() const { return &*value; }

  /// The same outcome for something derived from the value. `derive` returns an optional; nothing means that the
  /// text was there and did not say it, which is unknown.
  template <class Derive> auto then(Derive derive, std::string_view when_unreadable) const {
    using derived = typename decltype(derive(std::declval<const T &>()))::value_type;
    if (is_absent())
      return fact<derived>::absent(source);
    if (is_unknown())
      return fact<derived>::unknown(source, *problem);
    if (auto result = derive(*value))
      return fact<derived>::known(*std::move(result), source);
    return fact<derived>::unknown(source, std::string(when_unreadable));
  }
};

} // namespace gpucert
