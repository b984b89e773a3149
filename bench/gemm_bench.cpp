// SPDX-License-Identifier: Apache-2.0
// The matrix products of Llama-3-8B by cuBLASLt: decoding one token (M = 1) and a batch (64), bound by memory, and a
// prefill (4096), bound by arithmetic.
#include "bench/bench_case.h"
#include "bench/device_timing.h"
#include "bench/metrics.h"
#include "harness/run_settings.h"
#include "kernels/device_buffer.h"
#include "kernels/fill.h"
#include "kernels/gemm.h"
#include "kernels/gemm_reference.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpucert {
namespace {

/// Y[M,N] = X[M,K] W[N,K]^T
struct gemm_case {
  const char *layer;
  std::size_t m, n, k;
};

// Hidden size 4096, 32 heads and 8 of keys and values, each of 128; feed-forward 14336, gate and up in one.
struct layer {
  const char *name;
  std::size_t n, k;
};
constexpr layer layers[] = {{"qkv", 6144, 4096}, {"o", 4096, 4096}, {"gate_up", 28672, 4096}, {"down", 4096, 14336}};

constexpr std::size_t prefill_tokens = 4096;
constexpr std::size_t checked_elements = 4096; // of each result against the host; the others against these results

/// At tiny scale rows stay multiples of 16 bytes, which 8-bit formats need.
gemm_shape shape_at_scale(const gemm_case &wanted) {
  if (current_settings().scale == run_scale::full)
    return gemm_shape::packed(wanted.m, wanted.n, wanted.k);
  return gemm_shape::packed(std::min<std::size_t>(wanted.m, wanted.m == prefill_tokens ? 8 : 4), wanted.n / 128,
                            wanted.k / 128);
}

template <class T> std::vector<T> random_input(std::size_t count, std::uint64_t seed) {
  if constexpr (std::is_integral_v<T>)
    return random_integers<T>(count, -127, 127, seed);
  else
    return random_reals<T>(count, -1, 1, seed);
}

template <gemm_format Format> class gemm_operation {
public:
  using input = typename gemm_elements<Format>::input;
  using output = typename gemm_elements<Format>::output;

  gemm_operation(const gemm_shape &shape, std::string name)
      : shape_(shape), array_{std::move(name), current_settings().seed, shape.n},
        plan_(libraries_, gemm_library::cublas_lt, Format, shape),
        x_(random_input<input>(shape.m * shape.k, current_settings().seed)),
        w_(random_input<input>(shape.n * shape.k, current_settings().seed + 1)) {
    const int sets = rotating_sets(work_of_gemm(Format, shape).memory_bytes);
    for (int i = 0; i < sets; ++i)
      sets_.push_back({device_buffer<input>(x_), device_buffer<input>(w_), device_buffer<output>(shape.m * shape.n)});
  }

  int sets() const { return static_cast<int>(sets_.size()); }
  void launch(int set, cudaStream_t stream) const {
    const auto &chosen = sets_[static_cast<std::size_t>(set)];
    plan_.launch(chosen.x.data(), chosen.w.data(), chosen.y.data(), stream);
  }
  void poison() {
    for (auto &set : sets_)
      set.y.poison();
  }

  /// The first result against the host; all others, also those after the timing, must repeat it bit by bit, as cuBLAS
  /// promises for one algorithm with a workspace of its own.
  std::optional<std::string> find_wrong_result() {
    for (const auto &set : sets_) {
      const std::vector<output> found = set.y.download();
      if (verified_.empty()) {
        if (const auto wrong = find_wrong_element(found))
          return wrong;
        verified_ = found;
      }
      if (const auto wrong = find_unequal_bits(array_, found, verified_))
        return "the same GEMM gave another result: " + *wrong;
    }
    return std::nullopt;
  }

private:
  struct set_of_buffers {
    device_buffer<input> x, w;
    device_buffer<output> y;
  };

  std::optional<std::string> find_wrong_element(const std::vector<output> &found) const {
    if constexpr (std::is_integral_v<output>)
      return find_wrong_checksum(x_, w_, found, shape_, current_settings().seed + 2);
    else
      return first_of(find_unwritten(found), find_out_of_bound_element(found));
  }

  std::optional<std::string> find_unwritten(const std::vector<output> &found) const {
    const auto at = std::find_if(found.begin(), found.end(), [](const output &y) { return std::isnan(to_double(y)); });
    if (at == found.end())
      return std::nullopt;
    return fmt::format("{}: element {} of {} is not a number or was not written", array_.name, at - found.begin(),
                       found.size());
  }

  std::optional<std::string> find_out_of_bound_element(const std::vector<output> &found) const {
    const int capability = read_compute_capability();
    random_source source(current_settings().seed + 3);
    const bool checks_all = found.size() <= checked_elements;
    for (std::size_t i = 0; i < std::min(found.size(), checked_elements); ++i) {
      const std::size_t at = checks_all ? i : source.next() % found.size();
      const auto reference = reference_gemm_at(x_, w_, shape_, at / shape_.n, at % shape_.n);
      const double bound = gemm_bound(Format, shape_.k, reference, capability);
      if (!(std::abs(to_double(found[at]) - reference.value) <= bound))
        return say_out_of_bound(array_, {at, 1}, found.size(), to_double(found[at]), reference.value, bound);
    }
    return std::nullopt;
  }

  gemm_shape shape_;
  verified_array array_;
  gemm_libraries libraries_;
  gemm_plan plan_;
  std::vector<input> x_, w_;
  std::vector<set_of_buffers> sets_;
  std::vector<output> verified_;
};

std::string id_of(const gemm_case &wanted, gemm_format format) {
  return fmt::format("bench.gemm.llama3_8b_{}_m{}_{}", wanted.layer, wanted.m, name_of(format));
}

/// Up to 128 tokens every GPU from A100 on waits for the weights; from 512 on, for its tensor cores.
metric_kind kind_of(const gemm_case &wanted, gemm_format format, const work &counted) {
  if (wanted.m < prefill_tokens)
    return {"gb_per_s", counted.memory_bytes, "memory", {{"bytes_per_launch", counted.memory_bytes}}};
  return {format == gemm_format::s8 ? "tops" : "tflops",
          counted.operations,
          std::string(name_of(format)),
          {{"operations_per_launch", counted.operations}}};
}

sampling_rule rule_for(const gemm_case &wanted) {
  sampling_rule rule;
  if (wanted.m == prefill_tokens)
    rule.warm_up_us = 3e6; // so long clocks swing under a sudden full load
  return rule_for_scale(rule);
}

template <gemm_format Format> bench_result measure(const gemm_case &wanted) {
  const gemm_shape shape = shape_at_scale(wanted);
  if (auto reason = why_unsupported(Format, gemm_library::cublas_lt, shape, 256, read_compute_capability()))
    return skipped(*std::move(reason));
  const std::string id = id_of(wanted, Format);
  gemm_operation<Format> operation(shape, id);
  const work full = work_of_gemm(Format, gemm_shape::packed(wanted.m, wanted.n, wanted.k));
  const auto run =
      event_timed({[&](int set, cudaStream_t stream) { operation.launch(set, stream); }, operation.sets(), full});
  const auto samples =
      take_samples({run, [&] { operation.poison(); }, [&] { return operation.find_wrong_result(); }, operation.sets()},
                   rule_for(wanted));
  return judge_sampling(id, samples, kind_of(wanted, Format, counted_work(full, work_of_gemm(Format, shape))));
}

template <gemm_format Format> bench_case make_case(const gemm_case &wanted, run_level level) {
  return {id_of(wanted, Format), level, [wanted] { return measure<Format>(wanted); }};
}

std::vector<bench_case> cases() {
  std::vector<bench_case> all;
  for (const layer &one : layers)
    for (const std::size_t m : {std::size_t{1}, std::size_t{64}, prefill_tokens}) {
      const bool is_key = one.n == layers[0].n && m != 64;
      all.push_back(
          make_case<gemm_format::bf16>({one.name, m, one.n, one.k}, is_key ? run_level::quick : run_level::standard));
    }
  const gemm_case other{layers[0].name, prefill_tokens, layers[0].n, layers[0].k};
  all.push_back(make_case<gemm_format::f16>(other, run_level::standard));
  all.push_back(make_case<gemm_format::s8>(other, run_level::standard));
  all.push_back(make_case<gemm_format::f8>(other, run_level::standard));
  return all;
}

const bench_registration registration{cases()};

} // namespace
} // namespace gpucert
