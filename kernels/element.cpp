// SPDX-License-Identifier: Apache-2.0
#include "kernels/element.h"

namespace gpucert {

float round_to_tf32(double value) {
  // Through float would round twice; a double has 52 bits of fraction, of which 42 go.
  constexpr int dropped_bits = 42;
  std::uint64_t bits = bits_of(value);
  const std::uint64_t is_odd = (bits >> dropped_bits) & 1;
  bits += (std::uint64_t{1} << (dropped_bits - 1)) - 1 + is_odd;
  bits &= ~((std::uint64_t{1} << dropped_bits) - 1);
  double rounded = 0;
  std::memcpy(&rounded, &bits, sizeof rounded);
  return static_cast<float>(rounded); // exact but for values that are subnormal in float
}

} // namespace gpucert
