// SPDX-License-Identifier: Apache-2.0
// What is simulated: a profile of a GPU, how many of them, and the node's faults. The driver libraries read it from the
// environment, gpucert from the argument of --simulate.
#pragma once

#include "harness/work.h"
#include "simulator/faults/fault_list.h"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpucert::simulator {

/// A GPU as its datasheet and its driver describe it: profiles/NAME.json.
struct profile {
  std::string id;   // h200
  std::string name; // NVIDIA H200
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  double memory_bytes = 0;
  double l2_bytes = 0;
  int memory_bus_bits = 0;
  int sm_clock_khz = 0;
  int memory_clock_khz = 0;
  int shared_bytes_per_block = 0; // with the opt-in
  int shared_bytes_per_multiprocessor = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  std::string driver_version;
  int cuda_driver_version = 0; // 13000 for 13.0

  double memory_gb_per_s = 0;          // peak of the datasheet
  double link_gb_per_s = 0;            // peak of PCIe in one direction
  std::array<double, 7> peak_tflops{}; // by math_unit; 0: the GPU has no such unit
  double peak_tflops_of(math_unit unit) const { return peak_tflops.at(static_cast<std::size_t>(unit)); }

  nlohmann::json source; // the whole file: NVML answers, PCI identity
};

struct simulation {
  profile gpu;
  int devices = 1;
  fault_list faults;

  /// Devices that the driver shows: one fewer than PCI with the fault missing-gpu.
  int visible_devices() const { return devices - (faults.has(fault_name::missing_gpu) ? 1 : 0); }
  /// The bus id that the driver, PCI and the log agree on: 0000:1b:00.0, the next one 0000:1c:00.0 ...
  std::string pci_address(int device) const;
};

/// Reads a profile's file. Throws wrong_simulation.
profile read_profile(const std::filesystem::path &file);

/// Reads "h200x8,slow-memory:40"; the profile is FOLDER/h200.json. Throws wrong_simulation.
simulation parse_simulation(const std::filesystem::path &profiles_folder, std::string_view text);

/// Reads GPUCERT_SIMULATOR_PROFILE (a file), _DEVICES (default 1) and _FAULTS (default none). Without a profile it is
/// `default_profile`. Throws wrong_simulation.
simulation read_simulation_of_environment(const std::filesystem::path &default_profile);

/// The same for a driver library, once per process; the default profile is profiles/h200.json beside the library. A
/// wrong simulation is one line on stderr and abort(): a library has no other way to refuse.
const simulation &simulation_of_process();

/// The folder of the library that holds this code.
std::filesystem::path folder_of_this_library();

} // namespace gpucert::simulator
