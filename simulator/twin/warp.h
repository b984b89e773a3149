// SPDX-License-Identifier: Apache-2.0
// Warp operations: the lanes of the mask meet, each brings a value, and each looks at the others'.
#pragma once

#include "simulator/twin.h"
#include "simulator/twin/threads.h"

#include <cstring>

namespace gpucert::twin {

// Numbers by which lanes find the same meeting.
enum class warp_operation { sync, shuffle, shuffle_down, shuffle_up, shuffle_xor, ballot, reduce, match, mma };

/// Brings `value`, and returns `look(exchange)` after all lanes of `mask` have brought theirs.
template <class T, class Look> auto exchange(warp_operation operation, unsigned mask, const T &value, Look look) {
  static_assert(sizeof(T) <= simulator::most_exchanged_bytes);
  simulator::warp_exchange *met = gpucert_simulator_meet_warp(static_cast<int>(operation), mask, &value, sizeof(T));
  auto result = look(*met);
  gpucert_simulator_leave_warp(met);
  return result;
}

template <class T> T value_of(const simulator::warp_exchange &met, unsigned lane) {
  T value;
  std::memcpy(static_cast<void *>(&value), met.brought[lane], sizeof value);
  return value;
}

/// The value of lane `source`, or the own one where `is_inside` is false.
template <class T> T take_from(warp_operation operation, unsigned mask, T value, unsigned source, bool is_inside) {
  return exchange(operation, mask, value, [&](const simulator::warp_exchange &met) {
    return is_inside ? value_of<T>(met, source % simulator::lanes_per_warp) : value;
  });
}

} // namespace gpucert::twin

inline void __syncwarp(unsigned mask = 0xffffffffU) {
  gpucert::twin::exchange(gpucert::twin::warp_operation::sync, mask, 0, [](const auto &) { return 0; });
}

template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  const unsigned lane = gpucert::twin::current->lane;
  const unsigned parts = static_cast<unsigned>(width) - 1;
  return gpucert::twin::take_from(gpucert::twin::warp_operation::shuffle, mask, value,
                                  (lane & ~parts) | (static_cast<unsigned>(source) & parts), true);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const unsigned lane = gpucert::twin::current->lane;
  const unsigned parts = static_cast<unsigned>(width) - 1;
  return gpucert::twin::take_from(gpucert::twin::warp_operation::shuffle_down, mask, value, lane + delta,
                                  (lane & parts) + delta <= parts);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const unsigned lane = gpucert::twin::current->lane;
  const unsigned parts = static_cast<unsigned>(width) - 1;
  return gpucert::twin::take_from(gpucert::twin::warp_operation::shuffle_up, mask, value, lane - delta,
                                  (lane & parts) >= delta);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize) {
  const unsigned lane = gpucert::twin::current->lane;
  const unsigned parts = static_cast<unsigned>(width) - 1;
  const unsigned source = lane ^ static_cast<unsigned>(lanes);
  return gpucert::twin::take_from(gpucert::twin::warp_operation::shuffle_xor, mask, value, source,
                                  (source & ~parts) <= (lane & ~parts));
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const unsigned char vote = predicate != 0;
  return gpucert::twin::exchange(gpucert::twin::warp_operation::ballot, mask, vote, [&](const auto &met) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < gpucert::simulator::lanes_per_warp; ++lane)
      if ((mask >> lane & 1U) != 0 && met.brought[lane][0] != 0)
        votes |= 1U << lane;
    return votes;
  });
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate == 0) == 0; }

template <class T> unsigned __match_any_sync(unsigned mask, T value) {
  return gpucert::twin::exchange(gpucert::twin::warp_operation::match, mask, value, [&](const auto &met) {
    unsigned same = 0;
    for (unsigned lane = 0; lane < gpucert::simulator::lanes_per_warp; ++lane)
      if ((mask >> lane & 1U) != 0 && gpucert::twin::value_of<T>(met, lane) == value)
        same |= 1U << lane;
    return same;
  });
}

namespace gpucert::twin {
template <class T, class Fold> T reduce_warp(unsigned mask, T value, Fold fold) {
  return exchange(warp_operation::reduce, mask, value, [&](const simulator::warp_exchange &met) {
    bool is_first = true;
    T result{};
    for (unsigned lane = 0; lane < simulator::lanes_per_warp; ++lane)
      if ((mask >> lane & 1U) != 0) {
        result = is_first ? value_of<T>(met, lane) : fold(result, value_of<T>(met, lane));
        is_first = false;
      }
    return result;
  });
}
} // namespace gpucert::twin

template <class T> T __reduce_add_sync(unsigned mask, T value) {
  return gpucert::twin::reduce_warp(mask, value, [](T a, T b) { return static_cast<T>(a + b); });
}
template <class T> T __reduce_min_sync(unsigned mask, T value) {
  return gpucert::twin::reduce_warp(mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T> T __reduce_max_sync(unsigned mask, T value) {
  return gpucert::twin::reduce_warp(mask, value, [](T a, T b) { return a < b ? b : a; });
}
