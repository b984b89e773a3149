// SPDX-License-Identifier: Apache-2.0
// Is a result right? Each function says what is wrong, with the first place, or nothing: for tests, and for benchmarks,
// which verify before they time.
#pragma once

#include "kernels/device_buffer.h"
#include "kernels/element.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// What is verified, for the words of a message.
struct verified_array {
  std::string name;                           // "triad f32, 1025 elements, starts 1 0 0"
  std::uint64_t seed = 0;                     // with which it can be repeated
  std::optional<std::size_t> row_length = {}; // of a matrix: the message says row and column
};

/// The first of all wrong elements.
struct wrong_element {
  std::size_t index = 0;
  std::size_t wrong_count = 0;
};
std::string say_wrong_bits(const verified_array &array, const wrong_element &first, std::size_t count,
                           std::uint64_t found_bits, std::uint64_t expected_bits, double found, double expected);
std::string say_out_of_bound(const verified_array &array, const wrong_element &first, std::size_t count, double found,
                             double expected, double bound);
std::string say_wrong_length(const verified_array &array, std::size_t found, std::size_t expected);
std::string say_damage(const verified_array &array, std::string_view buffer, std::ptrdiff_t at, std::size_t size_bytes);

/// The first index in [0, count) for which is_wrong holds, and for how many it does.
template <class IsWrong> std::optional<wrong_element> find_wrong(std::size_t count, IsWrong is_wrong) {
  std::optional<wrong_element> first;
  for (std::size_t index = 0; index < count; ++index) {
    if (!is_wrong(index))
      continue;
    if (!first)
      first = wrong_element{index, 0};
    ++first->wrong_count;
  }
  return first;
}

/// Bit by bit.
template <class T>
std::optional<std::string> find_unequal_bits(const verified_array &array, const std::vector<T> &found,
                                             const std::vector<T> &expected) {
  if (found.size() != expected.size())
    return say_wrong_length(array, found.size(), expected.size());
  const auto first =
      find_wrong(found.size(), [&](std::size_t at) { return bits_of(found[at]) != bits_of(expected[at]); });
  if (!first)
    return std::nullopt;
  const T &found_value = found[first->index];
  const T &expected_value = expected[first->index];
  return say_wrong_bits(array, *first, found.size(), bits_of(found_value), bits_of(expected_value),
                        to_double(found_value), to_double(expected_value));
}

/// Within bounds, one for each element. NaN is out of every bound.
template <class T>
std::optional<std::string> find_out_of_bound(const verified_array &array, const std::vector<T> &found,
                                             const std::vector<double> &expected, const std::vector<double> &bounds) {
  if (found.size() != expected.size() || found.size() != bounds.size())
    return say_wrong_length(array, found.size(), expected.size());
  const auto first = find_wrong(
      found.size(), [&](std::size_t at) { return !(std::abs(to_double(found[at]) - expected[at]) <= bounds[at]); });
  if (!first)
    return std::nullopt;
  const std::size_t at = first->index;
  return say_out_of_bound(array, *first, found.size(), to_double(found[at]), expected[at], bounds[at]);
}

/// The zones around a buffer. Waits for the device.
template <class T>
std::optional<std::string> find_damaged_guard(const verified_array &array, std::string_view buffer_name,
                                              const device_buffer<T> &buffer) {
  if (const auto at = buffer.find_damage())
    return say_damage(array, buffer_name, *at, buffer.size() * sizeof(T));
  return std::nullopt;
}

/// The first that is wrong.
template <class... More>
std::optional<std::string> first_of(std::optional<std::string> one, std::optional<std::string> two, More... more) {
  if (one)
    return one;
  if constexpr (sizeof...(more) == 0)
    return two;
  else
    return first_of(std::move(two), std::move(more)...);
}

} // namespace gpucert
