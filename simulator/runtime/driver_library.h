// SPDX-License-Identifier: Apache-2.0
// What lies outside the CUDA runtime: libcuda, the twin of the kernels, the environment.
#pragma once

#include <vector>

namespace gpucert::simulator {

/// Maps libcuda.so.1 of this library's folder, as the real runtime does, so that /proc/self/maps shows on which driver
/// the process runs.
void open_driver_library();

/// Loads the twin (libgpucert_twin.so beside this library, or GPUCERT_SIMULATOR_TWIN), whose kernels register
/// themselves.
void open_twin();

/// The devices that CUDA_VISIBLE_DEVICES leaves, as indices among `count`.
std::vector<int> visible_devices(int count);

/// Counts one more try in the folder GPUCERT_SIMULATOR_STATE, if that is set: a program that is started again finds the
/// tries of its forerunners. True when there have been `needed` before.
bool count_try_across_processes(long long needed);

} // namespace gpucert::simulator
