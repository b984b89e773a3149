// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/cost_model.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace gpucert::simulator {
namespace {

// Shares of the datasheet's peak that a healthy simulated GPU reaches; good GPUs measure 65-91 % of memory, 73-87 % of
// math and about 85 % of the link.
constexpr double healthy_memory_share = 0.90;
constexpr double healthy_math_share = 0.80;
constexpr double healthy_link_share = 0.85;
constexpr double pageable_link_share = 0.25; // staged by the driver
constexpr double throttled_clock_share = 0.55;

constexpr double kernel_start_us = 1.2; // between two kernels of a stream
constexpr double copy_start_us = 6.0;
constexpr double noise_share = 0.004;

constexpr double bytes_per_us(double gb_per_s) { return gb_per_s * 1e3; }

std::uint64_t seed_of_environment() {
  std::uint64_t seed = 1;
  if (const char *text = std::getenv("GPUCERT_SIMULATOR_SEED"))
    std::from_chars(text, text + std::strlen(text), seed);
  return seed;
}

} // namespace

cost_model::cost_model(const simulation &what)
    : gpu_(&what.gpu), memory_bytes_per_us_(bytes_per_us(what.gpu.memory_gb_per_s * healthy_memory_share)),
      math_share_(healthy_math_share), random_(seed_of_environment()) {
  if (const fault *slow = what.faults.find(fault_name::slow_memory))
    memory_bytes_per_us_ *= 1 - static_cast<double>(*slow->number) / 100;
  if (what.faults.has(fault_name::thermal_throttle))
    math_share_ *= throttled_clock_share;
}

double cost_model::with_noise(double us) { return us * (1 + noise_share * (2 * random_.fraction() - 1)); }

double cost_model::kernel_us(const work &done) {
  double peak_tflops = gpu_->peak_tflops_of(done.unit);
  if (peak_tflops <= 0) // no such unit: emulated on the ordinary cores, as bf16 on a T4
    peak_tflops = gpu_->peak_tflops_of(math_unit::f32);
  const double math_us = done.operations / (peak_tflops * math_share_ * 1e6);
  const double memory_us = done.memory_bytes / memory_bytes_per_us_;
  return kernel_start_us + with_noise(std::max(math_us, memory_us));
}

double cost_model::kernel_us(double threads) {
  work unknown;
  unknown.memory_bytes = threads * 16;
  return kernel_us(unknown);
}

double cost_model::fill_us(double bytes) { return kernel_start_us + with_noise(bytes / memory_bytes_per_us_); }

double cost_model::device_copy_us(double bytes) {
  return kernel_start_us + with_noise(2 * bytes / memory_bytes_per_us_);
}

double cost_model::link_copy_us(double bytes, bool is_pinned) {
  const double share = is_pinned ? healthy_link_share : pageable_link_share;
  return copy_start_us + with_noise(bytes / bytes_per_us(gpu_->link_gb_per_s * share));
}

} // namespace gpucert::simulator
