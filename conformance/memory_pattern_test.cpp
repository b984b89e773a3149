// SPDX-License-Identifier: Apache-2.0
// Device memory: a large share of it holds what was written, each word its own address and then the complement.
#include "conformance/expect.h"
#include "harness/run_settings.h"
#include "kernels/device_buffer.h"
#include "kernels/memory_pattern.h"
#include "kernels/verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace gpucert {
namespace {

using words_buffer = device_buffer<std::uint64_t>;

memory_findings check_words(const words_buffer &words, address_pattern pattern) {
  const device_buffer<memory_findings> findings(std::vector<memory_findings>(1));
  launch_memory_check(words.data(), words.size(), pattern, findings.data(), nullptr);
  return findings.download()[0];
}

std::optional<std::string> say_findings(const memory_findings &findings, std::size_t count, address_pattern pattern) {
  if (findings.wrong_words == 0)
    return std::nullopt;
  std::string text = fmt::format("{} of {} words wrong", findings.wrong_words, count);
  const auto listed = std::min<unsigned long long>(findings.wrong_words, 4);
  for (std::size_t at = 0; at < listed; ++at) {
    const auto [index, found] = findings.words[at];
    text += fmt::format("; word {}: found {:#018x}, expected {:#018x}, differ in {:#x}", index, found,
                        pattern.at(index), found ^ pattern.at(index));
  }
  return text;
}

/// Most of what is free, but not all: the driver takes some for itself while kernels run.
std::size_t words_to_test() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  GPUCERT_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const std::size_t share = free_bytes / 10 * 8;
  return std::min(share, current_settings().choose(share, std::size_t{1} << 19)) / sizeof(std::uint64_t);
}

TEST(memory_pattern, address_and_complement) {
  const words_buffer words(words_to_test());
  const std::uint64_t mask = current_settings().seed;
  for (const address_pattern pattern : {address_pattern{mask}, address_pattern{~mask}}) {
    launch_memory_write(words.data(), words.size(), pattern, nullptr);
    EXPECT_TRUE(is_right(say_findings(check_words(words, pattern), words.size(), pattern)));
  }
  const verified_array array{fmt::format("{} words of device memory", words.size()), mask};
  EXPECT_TRUE(is_right(find_damaged_guard(array, "words", words)));
}

TEST(memory_pattern, odd_sizes) {
  const address_pattern pattern{current_settings().seed};
  for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 31, 255, 257, 1031}) {
    const words_buffer words(count);
    launch_memory_write(words.data(), count, pattern, nullptr);
    std::vector<std::uint64_t> expected(count);
    for (std::size_t at = 0; at < count; ++at)
      expected[at] = pattern.at(at);
    ASSERT_EQ(words.download(), expected);
    ASSERT_TRUE(is_right(say_findings(check_words(words, pattern), count, pattern)));
    ASSERT_TRUE(is_right(find_damaged_guard({fmt::format("{} words", count), pattern.mask}, "words", words)));
  }
}

// The checker itself: a bit that the host turned is found, at its place.
TEST(memory_pattern, finds_a_turned_bit) {
  const words_buffer words(current_settings().choose(10000019, 10007)); // primes
  const address_pattern pattern{current_settings().seed};
  launch_memory_write(words.data(), words.size(), pattern, nullptr);
  const std::size_t place = words.size() / 3;
  const std::uint64_t turned = pattern.at(place) ^ (std::uint64_t{1} << 41);
  GPUCERT_CUDA_CHECK(cudaMemcpy(words.data() + place, &turned, sizeof turned, cudaMemcpyHostToDevice));
  const memory_findings findings = check_words(words, pattern);
  ASSERT_EQ(findings.wrong_words, 1u);
  EXPECT_EQ(findings.words[0].index, place);
  EXPECT_EQ(findings.words[0].found, turned);
}

} // namespace
} // namespace gpucert
