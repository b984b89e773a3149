// SPDX-License-Identifier: Apache-2.0
#include "node/log_marks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace gpucert {
namespace {

// Two or three letters out of each phrase that somebody looks for: rare ones, since every line that holds them is
// parsed, and few, since the whole log is compared with each.
constexpr auto marks = std::to_array<std::string_view>({
    "NV",  // NVRM: all of the driver's own
    "nvi", // nvidia-modeset:, nvidia 0000:01:00.0:, nvidia-nvswitch0:, firmware/nvidia/
    "ouv", // nouveau
    "x v", // Linux version
    "-- ", // -- Boot ID --, -- Reboot --
    "ill", // oom-killer, Out of memory: Killed process
    "AE",  // AER: Corrected error
    "sev", // PCIe Bus Error: severity=
    "PK",  // PKCS#7 signature
    "rej", // is rejected, was rejected by service
    "kdo", // Lockdown:, see man kernel_lockdown.7
    "ecu", // Secure boot enabled
    "mpe", // temperature above threshold
});

// Vectors of GCC and Clang, which become whatever the processor has. 16 bytes are there everywhere.
using block = unsigned char __attribute__((vector_size(16)));
constexpr std::size_t block_bytes = sizeof(block);
constexpr std::size_t blocks_of_stride = 4;
constexpr std::size_t stride = blocks_of_stride * block_bytes; // looked through before a decision
constexpr std::size_t most_mark_bytes = 3;

block load(const char *from) {
  block loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}

template <std::size_t Mark> block starts_of(block first, block second, block third) {
  constexpr std::string_view mark = marks[Mark];
  const block pair = (first == static_cast<unsigned char>(mark[0])) & (second == static_cast<unsigned char>(mark[1]));
  if constexpr (mark.size() == 2)
    return pair;
  else
    return pair & (third == static_cast<unsigned char>(mark[2]));
}

/// Every byte nonzero where a mark starts at it. Written out for each mark: a loop would be a third as fast.
template <std::size_t... Mark> block starts_of_marks(const char *from, std::index_sequence<Mark...>) {
  const block first = load(from), second = load(from + 1), third = load(from + 2);
  return (starts_of<Mark>(first, second, third) | ...);
}

bool is_zero(block bytes) {
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &bytes, sizeof bytes);
  return (halves[0] | halves[1]) == 0;
}

/// How far behind `from` the first mark starts; nothing where none does within a stride.
std::optional<std::size_t> find_in_stride(const char *from) {
  std::array<block, blocks_of_stride> found{};
  block any{};
  for (std::size_t index = 0; index < blocks_of_stride; ++index) {
    found[index] = starts_of_marks(from + index * block_bytes, std::make_index_sequence<marks.size()>());
    any |= found[index];
  }
  if (is_zero(any))
    return std::nullopt;
  std::array<unsigned char, stride> bytes{};
  std::memcpy(bytes.data(), found.data(), sizeof found);
  return std::find_if(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte != 0; }) - bytes.begin();
}

/// Where the first mark starts. The whole text's length where there is none.
std::size_t find_mark(std::string_view text) {
  std::size_t at = 0;
  for (; at + stride + most_mark_bytes <= text.size(); at += stride)
    if (const auto offset = find_in_stride(text.data() + at))
      return at + *offset;
  for (; at < text.size(); ++at) // the rest is too short for a stride
    if (std::any_of(marks.begin(), marks.end(),
                    [&](std::string_view mark) { return text.substr(at).starts_with(mark); }))
      return at;
  return text.size();
}

} // namespace

std::string_view take_marked_line(std::string_view &rest) {
  const std::size_t mark = find_mark(rest);
  if (mark == rest.size()) {
    rest = {};
    return {};
  }
  const auto newline_before = rest.rfind('\n', mark);
  const std::size_t start = newline_before == rest.npos ? 0 : newline_before + 1;
  const std::size_t stop = std::min(rest.find('\n', mark), rest.size());
  std::string_view line = rest.substr(start, stop - start);
  rest.remove_prefix(std::min(stop + 1, rest.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

} // namespace gpucert
