// SPDX-License-Identifier: Apache-2.0
// Memory bandwidth: the five STREAM kernels over arrays far larger than the L2 cache.
#include "bench/bench_case.h"
#include "bench/device_timing.h"
#include "bench/metrics.h"
#include "harness/run_settings.h"
#include "kernels/device_buffer.h"
#include "kernels/fill.h"
#include "kernels/stream.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpucert {
namespace {

// BabelStream's; three arrays of it are more than four times the L2 of every GPU up to a B200 (126 MB).
constexpr std::size_t full_elements = std::size_t{1} << 26;
constexpr std::size_t tiny_elements = 4096 + 1; // with a tail
constexpr float scalar = 0.4F;                  // BabelStream's

/// The data are a block that repeats, so that the host's reference costs the same at every size.
constexpr std::size_t pattern_elements = (std::size_t{1} << 20) - 1;

std::vector<float> pattern(std::size_t count, std::uint64_t seed) {
  return random_reals<float>(std::min(count, pattern_elements), 0.5, 1.0, seed); // no product is subnormal
}

std::vector<float> repeated(const std::vector<float> &block, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t at = 0; at < count; at += block.size())
    std::copy_n(block.begin(), std::min(block.size(), count - at), values.begin() + static_cast<std::ptrdiff_t>(at));
  return values;
}

struct stream_set {
  device_buffer<float> a, b, c, sum, partial_sums;

  stream_arrays<float> arrays() const {
    return {a.data(), b.data(), c.data(), sum.data(), partial_sums.data(), a.size()};
  }
};

/// The array that a kernel writes.
device_buffer<float> stream_set::*output_of(stream_kernel kernel) {
  switch (kernel) {
  case stream_kernel::mul:
    return &stream_set::b;
  case stream_kernel::triad:
    return &stream_set::a;
  case stream_kernel::dot:
    return &stream_set::sum;
  case stream_kernel::copy:
  case stream_kernel::add:
    break;
  }
  return &stream_set::c;
}

class stream_operation {
public:
  stream_operation(stream_kernel kernel, std::size_t count) : kernel_(kernel), count_(count) {
    const std::uint64_t seed = current_settings().seed;
    a_ = pattern(count, seed);
    b_ = pattern(count, seed + 1);
    c_ = pattern(count, seed + 2);
    const int sets = rotating_sets(3.0 * static_cast<double>(count * sizeof(float)));
    for (int i = 0; i < sets; ++i)
      sets_.push_back({device_buffer(repeated(a_, count)), device_buffer(repeated(b_, count)),
                       device_buffer(repeated(c_, count)), device_buffer<float>(1),
                       device_buffer<float>(stream_dot_blocks_limit)});
  }

  int sets() const { return static_cast<int>(sets_.size()); }
  void launch(int set, cudaStream_t stream) const {
    launch_stream(kernel_, sets_[static_cast<std::size_t>(set)].arrays(), scalar, stream);
  }
  void poison() {
    for (stream_set &set : sets_)
      (set.*output_of(kernel_)).poison();
  }

  std::optional<std::string> find_wrong_result() const {
    const verified_array array{fmt::format("{} f32, {} elements", name_of(kernel_), count_), current_settings().seed};
    for (const stream_set &set : sets_) {
      const std::vector<float> found = (set.*output_of(kernel_)).download();
      auto wrong = kernel_ == stream_kernel::dot ? find_wrong_sum(array, found[0]) : find_wrong_block(array, found);
      if (wrong)
        return wrong;
    }
    return std::nullopt;
  }

private:
  std::optional<std::string> find_wrong_block(const verified_array &array, const std::vector<float> &found) const {
    const auto block = reference_stream(kernel_, a_, b_, c_, scalar).values;
    return find_unequal_bits(array, found, repeated(block, count_));
  }

  std::optional<std::string> find_wrong_sum(const verified_array &array, float found) const {
    long double sum = 0;
    for (std::size_t at = 0; at < count_; at += a_.size()) {
      const auto size = static_cast<std::ptrdiff_t>(std::min(a_.size(), count_ - at));
      sum += reference_stream(kernel_, std::vector(a_.begin(), a_.begin() + size),
                              std::vector(b_.begin(), b_.begin() + size), {}, scalar)
                 .sum;
    }
    // The data are positive: the sum is the sum of magnitudes.
    return find_out_of_bound(array, std::vector{found}, {static_cast<double>(sum)},
                             {stream_dot_bound<float>(count_, sum)});
  }

  stream_kernel kernel_;
  std::size_t count_;
  std::vector<float> a_, b_, c_;
  std::vector<stream_set> sets_;
};

std::string id_of(stream_kernel kernel) { return fmt::format("bench.stream.{}_f32", name_of(kernel)); }

bench_result measure(stream_kernel kernel) {
  const std::size_t count = current_settings().choose(full_elements, tiny_elements);
  stream_operation operation(kernel, count);
  const work full = work_of_stream(kernel, full_elements, sizeof(float));
  const int launches_each = kernel == stream_kernel::dot ? 2 : 1; // dot adds the sums of its blocks in a second launch
  const auto run = event_timed(
      {[&](int set, cudaStream_t stream) { operation.launch(set, stream); }, operation.sets(), full, launches_each});
  const auto samples =
      take_samples({run, [&] { operation.poison(); }, [&] { return operation.find_wrong_result(); }, operation.sets()},
                   rule_for_scale());
  const double bytes = counted_work(full, work_of_stream(kernel, count, sizeof(float))).memory_bytes;
  return judge_sampling(id_of(kernel), samples, {"gb_per_s", bytes, "memory", {{"bytes_per_launch", bytes}}});
}

std::vector<bench_case> cases() {
  std::vector<bench_case> all;
  for (const auto kernel :
       {stream_kernel::copy, stream_kernel::mul, stream_kernel::add, stream_kernel::triad, stream_kernel::dot})
    all.push_back({id_of(kernel), kernel == stream_kernel::triad ? run_level::quick : run_level::standard,
                   [kernel] { return measure(kernel); }});
  return all;
}

const bench_registration registration{cases()};

} // namespace
} // namespace gpucert
