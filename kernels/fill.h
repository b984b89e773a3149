// SPDX-License-Identifier: Apache-2.0
// Random data from a seed, the same on every machine: distributions of the standard library differ between libraries.
#pragma once

#include "kernels/element.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpucert {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Neighbouring seeds give
/// unrelated sequences, so that the arrays of one case may take seed, seed + 1 ...
class random_source {
public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  /// In [low, high), on a grid of 2^-53 of the width.
  double next_real(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

  /// In [low, high], both included.
  int next_integer(int low, int high) {
    const auto range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(((next() >> 32) * range) >> 32);
  }

private:
  std::uint64_t state_;
};

/// Uniform in [low, high), then rounded to T, which may give `high` itself.
template <class T> std::vector<T> random_reals(std::size_t count, double low, double high, std::uint64_t seed) {
  random_source source(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = round_to<T>(source.next_real(low, high));
  return values;
}

/// Uniform in [low, high], both included. T must hold them exactly.
template <class T> std::vector<T> random_integers(std::size_t count, int low, int high, std::uint64_t seed) {
  random_source source(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = round_to<T>(source.next_integer(low, high));
  return values;
}

/// Any bits: infinities, NaN with payloads, subnormals.
template <class T> std::vector<T> random_bits(std::size_t count, std::uint64_t seed) {
  random_source source(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = element_of_bits<T>(source.next());
  return values;
}

} // namespace gpucert
