// SPDX-License-Identifier: Apache-2.0
#include "kernels/verify.h"

#include <fmt/format.h>

namespace gpucert {
namespace {

std::string say_place(const verified_array &array, const wrong_element &first, std::size_t count) {
  std::string place =
      fmt::format("{}: {} of {} elements wrong, the first at {}", array.name, first.wrong_count, count, first.index);
  if (array.row_length)
    place += fmt::format(" (row {}, column {})", first.index / *array.row_length, first.index % *array.row_length);
  return place;
}

} // namespace

std::string say_wrong_bits(const verified_array &array, const wrong_element &first, std::size_t count,
                           std::uint64_t found_bits, std::uint64_t expected_bits, double found, double expected) {
  return fmt::format("{}: found {} ({:#x}), expected {} ({:#x}) (seed {})", say_place(array, first, count), found,
                     found_bits, expected, expected_bits, array.seed);
}

std::string say_out_of_bound(const verified_array &array, const wrong_element &first, std::size_t count, double found,
                             double expected, double bound) {
  return fmt::format("{}: found {}, expected {} within {} (seed {})", say_place(array, first, count), found, expected,
                     bound, array.seed);
}

std::string say_wrong_length(const verified_array &array, std::size_t found, std::size_t expected) {
  return fmt::format("{}: {} elements, expected {} (seed {})", array.name, found, expected, array.seed);
}

std::string say_damage(const verified_array &array, std::string_view buffer, std::ptrdiff_t at,
                       std::size_t size_bytes) {
  const auto past = at - static_cast<std::ptrdiff_t>(size_bytes);
  const std::string place =
      at < 0 ? fmt::format("{} bytes before the start", -at) : fmt::format("{} bytes after the last byte", past + 1);
  return fmt::format("{}: a write out of bounds of {}, {} of its {} bytes (seed {})", array.name, buffer, place,
                     size_bytes, array.seed);
}

} // namespace gpucert
