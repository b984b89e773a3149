// SPDX-License-Identifier: Apache-2.0
// Units that register themselves: a file of its own is all it takes to add one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gpucert {

/// The units of one kind, sorted by their `name`. A static object of a unit's file calls `add` before main; the order
/// of that does not matter. Two units of one name are a mistake of the program, reported when the list is first used.
template <class Unit> class registry {
public:
  static void add(Unit unit) { mutable_units().push_back(std::move(unit)); }

  static const std::vector<Unit> &units() {
    static const std::vector<Unit> sorted = [] {
      std::vector<Unit> result = mutable_units();
      std::sort(result.begin(), result.end(), [](const Unit &a, const Unit &b) { return a.name < b.name; });
      const auto twice = std::adjacent_find(result.begin(), result.end(),
                                            [](const Unit &a, const Unit &b) { return a.name == b.name; });
      if (twice != result.end())
        throw std::logic_error(fmt::format("two units are named {}: rename one", twice->name));
      return result;
    }();
    return sorted;
  }

private:
  static std::vector<Unit> &mutable_units() {
    static std::vector<Unit> units;
    return units;
  }
};

} // namespace gpucert
