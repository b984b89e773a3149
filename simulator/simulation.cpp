// SPDX-License-Identifier: Apache-2.0
#include "simulator/simulation.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <optional>

namespace gpucert::simulator {
namespace {

constexpr int most_devices = 16; // as many as an HGX pair; the PCI addresses of more would wrap

std::optional<int> parse_device_count(std::string_view text) {
  int count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || stop != text.data() + text.size() || count < 1 || count > most_devices)
    return std::nullopt;
  return count;
}

void read_peaks(const nlohmann::json &peaks, profile &made) {
  made.memory_gb_per_s = peaks.at("memory_gb_per_s").get<double>();
  made.link_gb_per_s = peaks.at("link_gb_per_s").get<double>();
  constexpr std::pair<const char *, math_unit> units[] = {
      {"f64_tflops", math_unit::f64}, {"f32_tflops", math_unit::f32},   {"tf32_tflops", math_unit::tf32},
      {"f16_tflops", math_unit::f16}, {"bf16_tflops", math_unit::bf16}, {"f8_tflops", math_unit::f8},
      {"s8_tops", math_unit::s8}};
  for (const auto &[key, unit] : units)
    if (const auto found = peaks.find(key); found != peaks.end())
      made.peak_tflops.at(static_cast<std::size_t>(unit)) = found->get<double>();
}

profile profile_of(const nlohmann::json &source) {
  profile made;
  const auto &device = source.at("device");
  device.at("name").get_to(made.name);
  device.at("compute_major").get_to(made.compute_major);
  device.at("compute_minor").get_to(made.compute_minor);
  device.at("multiprocessors").get_to(made.multiprocessors);
  device.at("memory_bytes").get_to(made.memory_bytes);
  device.at("l2_bytes").get_to(made.l2_bytes);
  device.at("memory_bus_bits").get_to(made.memory_bus_bits);
  device.at("sm_clock_khz").get_to(made.sm_clock_khz);
  device.at("memory_clock_khz").get_to(made.memory_clock_khz);
  device.at("shared_bytes_per_block").get_to(made.shared_bytes_per_block);
  device.at("shared_bytes_per_multiprocessor").get_to(made.shared_bytes_per_multiprocessor);
  device.at("threads_per_multiprocessor").get_to(made.threads_per_multiprocessor);
  device.at("blocks_per_multiprocessor").get_to(made.blocks_per_multiprocessor);
  source.at("driver_version").get_to(made.driver_version);
  source.at("cuda_driver_version").get_to(made.cuda_driver_version);
  read_peaks(source.at("peaks"), made);
  made.source = source;
  return made;
}

} // namespace

std::string simulation::pci_address(int device) const {
  char text[16]; // 0000:1b:00.0
  std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned char>(0x1b + device));
  return text;
}

profile read_profile(const std::filesystem::path &file) {
  std::ifstream stream(file);
  if (!stream)
    throw wrong_simulation("no simulated GPU '" + file.stem().string() + "': " + file.string() + " cannot be read");
  try {
    profile made = profile_of(nlohmann::json::parse(stream));
    made.id = file.stem().string();
    return made;
  } catch (const nlohmann::json::exception &error) {
    throw wrong_simulation("profile " + file.string() + ": " + error.what());
  }
}

simulation parse_simulation(const std::filesystem::path &profiles_folder, std::string_view text) {
  const std::string_view first = text.substr(0, text.find(','));
  const fault_list faults =
      fault_list::parse(first.size() < text.size() ? text.substr(first.size() + 1) : std::string_view{});
  std::string_view id = first;
  int devices = 1;
  if (const auto times = first.rfind('x'); times != first.npos && times > 0)
    if (const auto count = parse_device_count(first.substr(times + 1))) {
      devices = *count;
      id = first.substr(0, times);
    }
  if (id.empty() || id.find('/') != id.npos)
    throw wrong_simulation("no simulated GPU '" + std::string(id) + "'");
  return {read_profile(profiles_folder / (std::string(id) + ".json")), devices, faults};
}

simulation read_simulation_of_environment(const std::filesystem::path &default_profile) {
  const char *file = std::getenv("GPUCERT_SIMULATOR_PROFILE");
  const char *devices = std::getenv("GPUCERT_SIMULATOR_DEVICES");
  const char *faults = std::getenv("GPUCERT_SIMULATOR_FAULTS");
  const auto count = parse_device_count(devices ? devices : "1");
  if (!count)
    throw wrong_simulation("GPUCERT_SIMULATOR_DEVICES is '" + std::string(devices) + "', expected 1 to " +
                           std::to_string(most_devices));
  return {read_profile(file ? std::filesystem::path(file) : default_profile), *count,
          fault_list::parse(faults ? faults : "")};
}

std::filesystem::path folder_of_this_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void *>(&folder_of_this_library), &info) == 0 || !info.dli_fname)
    return ".";
  return std::filesystem::path(info.dli_fname).parent_path();
}

const simulation &simulation_of_process() {
  static const simulation made = [] {
    try {
      return read_simulation_of_environment(folder_of_this_library() / "profiles" / "h200.json");
    } catch (const wrong_simulation &error) {
      std::fprintf(stderr, "gpucert simulator: %s\n", error.what());
      std::abort();
    }
  }();
  return made;
}

} // namespace gpucert::simulator
