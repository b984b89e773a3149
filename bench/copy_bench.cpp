// SPDX-License-Identifier: Apache-2.0
// Copies between host and device, from pinned memory (the copy engine alone) and from pageable memory (through the
// driver's staging buffers, which is also a test of the host).
#include "bench/bench_case.h"
#include "bench/device_timing.h"
#include "bench/metrics.h"
#include "harness/run_settings.h"
#include "kernels/device_buffer.h"
#include "kernels/fill.h"
#include "kernels/pinned_buffer.h"
#include "kernels/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gpucert {
namespace {

using word = std::int32_t;

constexpr std::size_t full_bytes = std::size_t{256} << 20; // long enough that its start does not show, 5 ms at 50 GB/s
constexpr std::size_t tiny_bytes = std::size_t{16} << 10;

/// Memory of the host, of one kind or the other.
class host_words {
public:
  host_words(std::size_t count, bool is_pinned)
      : pinned_(is_pinned ? count : 0), pageable_(is_pinned ? 0 : count), count_(count) {}

  word *data() { return pageable_.empty() ? pinned_.data() : pageable_.data(); }
  std::vector<word> values() { return {data(), data() + count_}; }
  void assign(const std::vector<word> &values) { std::copy(values.begin(), values.end(), data()); }
  void poison() { std::memset(data(), guarded_memory::poison_byte, count_ * sizeof(word)); }

private:
  pinned_buffer<word> pinned_;
  std::vector<word> pageable_;
  std::size_t count_;
};

struct copy_kind {
  copy_path path;
  bool is_pinned;
};

std::string id_of(const copy_kind &kind) {
  return fmt::format("bench.copy.{}_{}", kind.path == copy_path::host_to_device ? "host_to_device" : "device_to_host",
                     kind.is_pinned ? "pinned" : "pageable");
}

/// Two sets, so that no copy finds its target as the one before has left it.
class copy_operation {
public:
  static constexpr int sets = 2;

  copy_operation(const copy_kind &kind, std::size_t bytes)
      : kind_(kind), values_(random_bits<word>(bytes / sizeof(word), current_settings().seed)) {
    for (int i = 0; i < sets; ++i) {
      host_.emplace_back(values_.size(), kind.is_pinned);
      device_.emplace_back(values_);
      host_.back().assign(values_);
    }
  }

  void launch(int set, cudaStream_t stream) {
    const auto at = static_cast<std::size_t>(set);
    const std::size_t bytes = values_.size() * sizeof(word);
    if (is_to_device())
      GPUCERT_CUDA_CHECK(cudaMemcpyAsync(device_[at].data(), host_[at].data(), bytes, cudaMemcpyHostToDevice, stream));
    else
      GPUCERT_CUDA_CHECK(cudaMemcpyAsync(host_[at].data(), device_[at].data(), bytes, cudaMemcpyDeviceToHost, stream));
  }

  void poison() {
    for (std::size_t i = 0; i < sets; ++i)
      is_to_device() ? device_[i].poison() : host_[i].poison();
    GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  }

  std::optional<std::string> find_wrong_result() {
    const verified_array array{id_of(kind_), current_settings().seed};
    for (std::size_t i = 0; i < sets; ++i)
      if (const auto wrong =
              find_unequal_bits(array, is_to_device() ? device_[i].download() : host_[i].values(), values_))
        return wrong;
    return std::nullopt;
  }

private:
  bool is_to_device() const { return kind_.path == copy_path::host_to_device; }

  copy_kind kind_;
  std::vector<word> values_;
  std::vector<host_words> host_;
  std::vector<device_buffer<word>> device_;
};

work work_of_copy(const copy_kind &kind, std::size_t bytes) {
  work copied;
  copied.copied_bytes = static_cast<double>(bytes);
  copied.path = kind.path;
  copied.is_pinned = kind.is_pinned;
  return copied;
}

bench_result measure(const copy_kind &kind) {
  const std::size_t bytes = current_settings().choose(full_bytes, tiny_bytes);
  copy_operation operation(kind, bytes);
  const work full = work_of_copy(kind, full_bytes);
  const timed_launches launches{[&](int set, cudaStream_t stream) { operation.launch(set, stream); },
                                copy_operation::sets, full};
  // A pageable copy is the host's work as well.
  const auto run = kind.is_pinned ? event_timed(launches) : host_timed(launches);
  const auto samples = take_samples(
      {run, [&] { operation.poison(); }, [&] { return operation.find_wrong_result(); }, copy_operation::sets},
      rule_for_scale());
  const double counted = counted_work(full, work_of_copy(kind, bytes)).copied_bytes;
  return judge_sampling(id_of(kind), samples,
                        {"gb_per_s", counted, kind.is_pinned ? "copy" : "", {{"bytes_per_launch", counted}}});
}

std::vector<bench_case> cases() {
  std::vector<bench_case> all;
  for (const auto path : {copy_path::host_to_device, copy_path::device_to_host})
    for (const bool is_pinned : {true, false})
      all.push_back({id_of({path, is_pinned}), is_pinned ? run_level::quick : run_level::standard, [path, is_pinned] {
                       return measure({path, is_pinned});
                     }});
  return all;
}

const bench_registration registration{cases()};

} // namespace
} // namespace gpucert
