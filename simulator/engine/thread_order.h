// SPDX-License-Identifier: Apache-2.0
// In which order the threads of a block run. A kernel that lacks a barrier is right in some orders and wrong in others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gpucert::simulator {

enum class order_kind {
  ascending, // every thread to its next barrier, in order of index
  fair,      // the same in a random order: hides races in which one warp must be a whole barrier ahead
  unfair,    // one random warp as far as it goes
};

struct thread_order {
  order_kind kind = order_kind::ascending;
  std::uint64_t seed = 0;

  /// Reads GPUCERT_SIMULATOR_ORDER: "ascending", "fair:SEED" or "unfair:SEED". Nothing for other text.
  static std::optional<thread_order> parse(std::string_view text);
};

/// A small generator whose numbers are the same with every library (splitmix64, public domain by S. Vigna).
class random_sequence {
public:
  explicit random_sequence(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15U;
    value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9U;
    value = (value ^ value >> 27U) * 0x94d049bb133111ebU;
    return value ^ value >> 31U;
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// In [0, 1).
  double fraction() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

  template <class T> void shuffle(std::vector<T> &items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[below(left)]);
  }

private:
  std::uint64_t state_;
};

} // namespace gpucert::simulator
