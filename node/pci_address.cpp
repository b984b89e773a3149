// SPDX-License-Identifier: Apache-2.0
#include "node/pci_address.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <vector>

namespace gpucert {
namespace {

constexpr std::size_t most_digits = 8; // of a domain, as NVML prints it

bool is_hex(char letter) { return std::isxdigit(static_cast<unsigned char>(letter)) != 0; }

struct hex_number {
  unsigned value = 0;
  std::size_t digits = 0;
};

/// Takes hexadecimal digits off the text; none when it starts with none or with too many.
std::optional<hex_number> take_hex(std::string_view &text) {
  hex_number number;
  while (number.digits < text.size() && is_hex(text[number.digits]))
    ++number.digits;
  if (number.digits == 0 || number.digits > most_digits)
    return std::nullopt;
  std::from_chars(text.data(), text.data() + number.digits, number.value, 16);
  text.remove_prefix(number.digits);
  return number;
}

/// The digit behind ".", 0 where the address has no function.
unsigned take_function(std::string_view text) {
  const bool has_one =
      text.size() > 1 && text[0] == '.' && text[1] >= '0' && text[1] <= '7' && (text.size() == 2 || !is_hex(text[2]));
  return has_one ? static_cast<unsigned>(text[1] - '0') : 0U;
}

} // namespace

std::optional<std::string> parse_pci_address(std::string_view text) {
  if (text.starts_with("PCI:"))
    text.remove_prefix(4);
  std::vector<hex_number> numbers;
  while (numbers.size() < 3) {
    const auto number = take_hex(text);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
    if (!text.starts_with(':'))
      break;
    text.remove_prefix(1);
  }
  const bool is_short_of_function = numbers.size() == 2 && numbers[0].digits == 4; // "0000:05" of the oldest drivers
  if (is_short_of_function)
    numbers.push_back({});
  else if (numbers.size() == 2)
    numbers.insert(numbers.begin(), hex_number{0, 4});
  if (numbers.size() != 3 || numbers[0].digits < 4 || numbers[1].digits != 2 || numbers[2].digits > 2)
    return std::nullopt;
  return fmt::format("{:04x}:{:02x}:{:02x}.{}", numbers[0].value, numbers[1].value, numbers[2].value,
                     take_function(text));
}

std::optional<std::string> find_pci_address(std::string_view text) {
  constexpr std::size_t shortest = 10; // 0000:01:00
  for (auto colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    std::size_t start = colon;
    while (start > 0 && is_hex(text[start - 1]) && colon - start < most_digits)
      --start;
    const std::string_view candidate = text.substr(start);
    if (colon - start < 4 || candidate.size() < shortest || colon + 3 >= text.size() || text[colon + 3] != ':')
      continue;
    if (auto address = parse_pci_address(candidate))
      return address;
  }
  return std::nullopt;
}

} // namespace gpucert
