// SPDX-License-Identifier: Apache-2.0
// Copies between host and device and within the device: every byte, at odd sizes and from odd addresses, and no byte
// beyond. Host memory is tested both ways: pinned, and pageable, which the driver stages.
#include "conformance/expect.h"
#include "harness/run_settings.h"
#include "kernels/cuda_stream.h"
#include "kernels/fill.h"
#include "kernels/pinned_buffer.h"
#include "kernels/verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace gpucert {
namespace {

using bytes = std::vector<std::uint8_t>;
using pinned_bytes = pinned_buffer<std::uint8_t>;

struct copy_case {
  std::size_t size = 0;
  std::size_t from = 0; // offset of the source
  std::size_t to = 0;   // offset of the destination
};

std::vector<copy_case> copy_cases() {
  constexpr std::pair<std::size_t, std::size_t> offsets[] = {{0, 0}, {1, 0}, {0, 3}, {5, 5}};
  std::vector<copy_case> cases;
  for (const std::size_t size :
       std::initializer_list<std::size_t>{1, 2, 3, 63, 64, 65, 255, 4095, 4096, 4097, 65537, 0})
    for (const auto &[from, to] : offsets)
      cases.push_back({size, from, to});
  const std::size_t large = current_settings().choose((std::size_t{256} << 20) + 1, (std::size_t{1} << 18) + 1);
  cases.push_back({large, 0, 0});
  cases.push_back({large - 2, 1, 3});
  return cases;
}

verified_array describe(std::string_view name, const copy_case &what) {
  return {fmt::format("{}, {} bytes from offset {} to offset {}", name, what.size, what.from, what.to),
          current_settings().seed};
}

bytes random_bytes(std::size_t size) { return random_bits<std::uint8_t>(size, current_settings().seed); }

/// The place of a copy in host memory, with a margin that no copy may touch.
template <class Memory> class copy_place {
public:
  copy_place(std::size_t size, std::size_t offset)
      : size_(size), start_(margin + offset), memory_(start_ + size + margin) {
    std::fill(memory_.begin(), memory_.end(), untouched);
  }

  std::uint8_t *data() { return memory_.data() + start_; }
  bytes contents() { return bytes(data(), data() + size_); }

  std::optional<std::string> find_damage(const verified_array &array) {
    const std::uint8_t *first = memory_.data();
    for (std::size_t at = 0; at < memory_.size(); ++at)
      if ((at < start_ || at >= start_ + size_) && first[at] != untouched)
        return say_damage(array, "the destination",
                          static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(start_), size_);
    return std::nullopt;
  }

private:
  static constexpr std::size_t margin = 64;
  static constexpr std::uint8_t untouched = 0xc5;

  std::size_t size_;
  std::size_t start_;
  Memory memory_;
};

void copy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind) {
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize()); // the stream does not wait for the uploads on the default one
  const cuda_stream stream;
  GPUCERT_CUDA_CHECK(cudaMemcpyAsync(to, from, size, kind, stream.get()));
  stream.synchronize();
}

template <class Memory> void check_host_to_device(std::string_view name) {
  for (const copy_case &what : copy_cases()) {
    const bytes source = random_bytes(what.size);
    copy_place<Memory> host(what.size, what.from);
    std::copy(source.begin(), source.end(), host.data());
    const device_buffer<std::uint8_t> device(what.size, what.to);
    copy(device.data(), host.data(), what.size, cudaMemcpyHostToDevice);
    const verified_array array = describe(name, what);
    ASSERT_TRUE(is_right(first_of(find_unequal_bits(array, device.download(), source),
                                  find_damaged_guard(array, "the destination", device))));
  }
}

template <class Memory> void check_device_to_host(std::string_view name) {
  for (const copy_case &what : copy_cases()) {
    const bytes source = random_bytes(what.size);
    const device_buffer<std::uint8_t> device(source, what.from);
    copy_place<Memory> host(what.size, what.to);
    copy(host.data(), device.data(), what.size, cudaMemcpyDeviceToHost);
    const verified_array array = describe(name, what);
    ASSERT_TRUE(is_right(first_of(find_unequal_bits(array, host.contents(), source), host.find_damage(array))));
  }
}

TEST(copy, host_to_device_pinned) { check_host_to_device<pinned_bytes>("pinned host to device"); }
TEST(copy, host_to_device_pageable) { check_host_to_device<bytes>("pageable host to device"); }
TEST(copy, device_to_host_pinned) { check_device_to_host<pinned_bytes>("device to pinned host"); }
TEST(copy, device_to_host_pageable) { check_device_to_host<bytes>("device to pageable host"); }

TEST(copy, device_to_device) {
  for (const copy_case &what : copy_cases()) {
    const bytes source = random_bytes(what.size);
    const device_buffer<std::uint8_t> from(source, what.from);
    const device_buffer<std::uint8_t> to(what.size, what.to);
    copy(to.data(), from.data(), what.size, cudaMemcpyDeviceToDevice);
    const verified_array array = describe("device to device", what);
    ASSERT_TRUE(is_right(
        first_of(find_unequal_bits(array, to.download(), source), find_unequal_bits(array, from.download(), source),
                 find_damaged_guard(array, "the destination", to), find_damaged_guard(array, "the source", from))));
  }
}

} // namespace
} // namespace gpucert
