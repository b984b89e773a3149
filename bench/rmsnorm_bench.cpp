// SPDX-License-Identifier: Apache-2.0
// RMSNorm of a prefill of Llama-3-8B: 4096 tokens of 4096 values. Bound by memory.
#include "bench/bench_case.h"
#include "bench/device_timing.h"
#include "bench/metrics.h"
#include "harness/run_settings.h"
#include "kernels/device_buffer.h"
#include "kernels/fill.h"
#include "kernels/rmsnorm.h"
#include "kernels/verify.h"

#include <fmt/format.h>

namespace gpucert {
namespace {

constexpr std::size_t full_rows = 4096;
constexpr std::size_t full_width = 4096;
constexpr float epsilon = 1e-5F; // Llama-3's

template <class T> struct rmsnorm_set { device_buffer<T> x, weight, y; };

template <class T> class rmsnorm_operation {
public:
  rmsnorm_operation(std::size_t rows, std::size_t width)
      : rows_(rows), width_(width), x_(random_reals<T>(rows * width, -1, 1, current_settings().seed)),
        weight_(random_reals<T>(width, 0.5, 1.5, current_settings().seed + 1)) {
    const int sets = rotating_sets(work_of_rmsnorm(rows, width, sizeof(T)).memory_bytes);
    for (int i = 0; i < sets; ++i)
      sets_.push_back({device_buffer<T>(x_), device_buffer<T>(weight_), device_buffer<T>(x_.size())});
  }

  int sets() const { return static_cast<int>(sets_.size()); }
  void launch(int set, cudaStream_t stream) const {
    const auto &chosen = sets_[static_cast<std::size_t>(set)];
    launch_rmsnorm<T>({chosen.x.data(), chosen.weight.data(), chosen.y.data(), rows_, width_}, epsilon, stream);
  }
  void poison() {
    for (auto &set : sets_)
      set.y.poison();
  }

  std::optional<std::string> find_wrong_result() const {
    const std::vector<double> reference = reference_rmsnorm(x_, weight_, epsilon);
    std::vector<double> bounds(reference.size());
    for (std::size_t at = 0; at < bounds.size(); ++at)
      bounds[at] = rmsnorm_bound<T>(width_, reference[at], to_double(weight_[at % width_]));
    const verified_array array{fmt::format("rmsnorm {}, {} rows of {}", element_traits<T>::name, rows_, width_),
                               current_settings().seed, width_};
    for (const auto &set : sets_)
      if (const auto wrong = find_out_of_bound(array, set.y.download(), reference, bounds))
        return wrong;
    return std::nullopt;
  }

private:
  std::size_t rows_;
  std::size_t width_;
  std::vector<T> x_, weight_;
  std::vector<rmsnorm_set<T>> sets_;
};

template <class T> std::string id() { return fmt::format("bench.rmsnorm.m4096_h4096_{}", element_traits<T>::name); }

template <class T> bench_result measure() {
  const std::size_t rows = current_settings().choose(full_rows, 4);
  const std::size_t width = current_settings().choose(full_width, 128 + 1); // with a tail
  rmsnorm_operation<T> operation(rows, width);
  const work full = work_of_rmsnorm(full_rows, full_width, sizeof(T));
  const auto run =
      event_timed({[&](int set, cudaStream_t stream) { operation.launch(set, stream); }, operation.sets(), full});
  const auto samples =
      take_samples({run, [&] { operation.poison(); }, [&] { return operation.find_wrong_result(); }, operation.sets()},
                   rule_for_scale());
  const double bytes = counted_work(full, work_of_rmsnorm(rows, width, sizeof(T))).memory_bytes;
  return judge_sampling(id<T>(), samples, {"gb_per_s", bytes, "memory", {{"bytes_per_launch", bytes}}});
}

const bench_registration registration{{
    {id<float>(), run_level::standard, measure<float>},
    {id<__half>(), run_level::standard, measure<__half>},
    {id<__nv_bfloat16>(), run_level::standard, measure<__nv_bfloat16>},
}};

} // namespace
} // namespace gpucert
