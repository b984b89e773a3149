// SPDX-License-Identifier: Apache-2.0
// Enumerators and their words, both ways from one table.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace gpucert {

template <class Enum, std::size_t Count> using word_table = std::array<std::pair<Enum, std::string_view>, Count>;

template <class Enum, std::size_t Count>
constexpr std::string_view word_of(const word_table<Enum, Count> &table, Enum value) {
  for (const auto &[known, word] : table)
    if (known == value)
      return word;
  return {};
}

template <class Enum, std::size_t Count>
constexpr std::optional<Enum> value_of(const word_table<Enum, Count> &table, std::string_view word) {
  for (const auto &[value, known] : table)
    if (known == word)
      return value;
  return std::nullopt;
}

} // namespace gpucert
