// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/driver_library.h"

#include "simulator/simulation.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace gpucert::simulator {
namespace {

void complain(const char *what) { std::fprintf(stderr, "gpucert simulator: %s\n", what); }

} // namespace

void open_driver_library() {
  const std::filesystem::path path = folder_of_this_library() / "libcuda.so.1";
  if (!dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    complain(dlerror());
}

void open_twin() {
  static bool is_open = false;
  if (is_open)
    return;
  is_open = true;
  const char *chosen = std::getenv("GPUCERT_SIMULATOR_TWIN");
  // An absolute path stays itself.
  const std::filesystem::path path = folder_of_this_library() / (chosen ? chosen : "libgpucert_twin.so");
  // Lazily, since the host functions beside the kernels use parts of the suite that the twin does not hold.
  if (!dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL))
    complain(dlerror());
}

std::vector<int> visible_devices(int count) {
  std::vector<int> devices;
  const char *text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!text) {
    for (int device = 0; device < count; ++device)
      devices.push_back(device);
    return devices;
  }
  // The list ends at its first entry that is no device. "GPU-..." is the form of a UUID, whose simulated ones end in
  // the index.
  const char *const end = text + std::strlen(text);
  while (text < end) {
    const char *const comma = std::strchr(text, ',') ? std::strchr(text, ',') : end;
    const char *number = text;
    if (std::strncmp(text, "GPU-", 4) == 0 || std::strncmp(text, "MIG-", 4) == 0)
      for (number = comma; number > text && number[-1] != '-';)
        --number;
    int device = -1;
    const auto [stop, error] = std::from_chars(number, comma, device);
    if (error != std::errc{} || stop != comma || device < 0 || device >= count)
      break;
    devices.push_back(device);
    text = comma == end ? end : comma + 1;
  }
  return devices;
}

bool count_try_across_processes(long long needed) {
  const char *folder = std::getenv("GPUCERT_SIMULATOR_STATE");
  if (!folder)
    return false;
  const std::filesystem::path path = std::filesystem::path(folder) / "tries";
  long long tries = 0;
  std::ifstream(path) >> tries;
  std::ofstream(path) << tries + 1 << '\n';
  return tries >= needed;
}

} // namespace gpucert::simulator
