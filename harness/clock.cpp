// SPDX-License-Identifier: Apache-2.0
// The clock, and the announcements to the simulator's cost model.
#include "harness/clock.h"

#include "harness/loaded_libraries.h"

#include <chrono>

namespace gpucert {
namespace {

using clock_function = double (*)();
using announce_function = void (*)(const work *);

// Looked up once, when first needed: libcudart is linked, so it has been loaded by then.
clock_function simulated_clock() {
  static const auto found =
      reinterpret_cast<clock_function>(find_in_loaded_library("libcudart", "gpucert_simulator_now_us"));
  return found;
}

announce_function simulated_announce() {
  static const auto found =
      reinterpret_cast<announce_function>(find_in_loaded_library("libcudart", "gpucert_simulator_announce_work"));
  return found;
}

using announce_case_function = void (*)(const char *);
announce_case_function simulated_announce_case() {
  static const auto found =
      reinterpret_cast<announce_case_function>(find_in_loaded_library("libcudart", "gpucert_simulator_announce_case"));
  return found;
}

work divided(work whole, int parts) {
  whole.memory_bytes /= parts;
  whole.operations /= parts;
  whole.copied_bytes /= parts;
  return whole;
}

} // namespace

double now_us() {
  if (const auto simulated = simulated_clock())
    return simulated();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

announced_work::announced_work(const work &per_operation, int launches) {
  if (const auto announce = simulated_announce()) {
    const work per_launch = divided(per_operation, launches);
    announce(&per_launch); // copied by the simulator
  }
}

announced_work::~announced_work() {
  if (const auto announce = simulated_announce())
    announce(nullptr);
}

announced_case::announced_case(const std::string &id) {
  if (const auto announce = simulated_announce_case())
    announce(id.c_str()); // copied by the simulator
}

announced_case::~announced_case() {
  if (const auto announce = simulated_announce_case())
    announce(nullptr);
}

bool announced_work::is_charged() { return simulated_announce() != nullptr; }

} // namespace gpucert
