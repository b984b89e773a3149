// SPDX-License-Identifier: Apache-2.0
// One GPU in use.
#include "harness/ready/device_probe.h"

#include "harness/device.h"
#include "kernels/device_buffer.h"
#include "kernels/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <random>
#include <vector>

namespace gpucert {
namespace {

constexpr std::size_t probe_elements = 256 * 1024 + 1; // 1 MiB, and one to leave the last block almost empty

std::vector<std::uint32_t> random_values(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> values(probe_elements);
  std::generate(values.begin(), values.end(), [&] { return static_cast<std::uint32_t>(random()); });
  return values;
}

/// Nothing when the device computed and copied every element rightly and wrote nothing else.
std::optional<std::string> find_wrong_result(std::uint64_t seed) {
  const std::vector<std::uint32_t> input = random_values(seed);
  const device_buffer<std::uint32_t> buffer(input);
  launch_probe(buffer.data(), buffer.size(), nullptr);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<std::uint32_t> got = buffer.download();
  const std::vector<std::uint32_t> expected = reference_probe(input);
  const auto [wrong, right] = std::mismatch(got.begin(), got.end(), expected.begin());
  if (wrong != got.end())
    return fmt::format("wrong result: element {} of {} is {:#010x}, expected {:#010x}", wrong - got.begin(), got.size(),
                       *wrong, *right);
  if (const auto damage = buffer.find_damage())
    return fmt::format("wrong result: memory was written at byte {} outside of the buffer", *damage);
  return std::nullopt;
}

} // namespace

case_end run_device_probe(const std::string &name, int device, std::uint64_t seed) {
  case_end result;
  result.name = name;
  if (const auto failure = open_device(device)) {
    result.reason = failure->reason;
    result.cuda_error = failure->code;
    return result;
  }
  try {
    const auto wrong = find_wrong_result(seed);
    result.outcome = wrong ? case_outcome::fail : case_outcome::pass;
    result.reason = wrong.value_or("");
  } catch (const cuda_error &error) {
    result.reason = error.what();
    result.cuda_error = error.code();
  } catch (const std::bad_alloc &) {
    result.reason = "no host memory for a probe of 1 MiB";
  }
  return result;
}

} // namespace gpucert
