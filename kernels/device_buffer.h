// SPDX-License-Identifier: Apache-2.0
// Device memory that owns itself, with guard zones on both sides that show a write out of bounds.
#pragma once

#include "kernels/cuda_error.h"

#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace gpucert {

/// Bytes of untyped device memory between two guard zones.
class guarded_memory {
public:
  // As wide as the widest vector store of a warp (32 lanes of 16 bytes), so that one wild store does not jump over it;
  // a multiple of the 256 bytes to which cudaMalloc aligns.
  static constexpr std::size_t guard_bytes = 512;
  static constexpr unsigned char guard_byte = 0xc5;  // no NaN, no small integer, no poison
  static constexpr unsigned char poison_byte = 0xff; // NaN in every float format, -1 in integers

  guarded_memory() = default;
  /// `offset_bytes` shifts the start, for kernels that must take unaligned arrays.
  explicit guarded_memory(std::size_t size_bytes, std::size_t offset_bytes = 0)
      : size_(size_bytes), offset_(offset_bytes) {
    GPUCERT_CUDA_CHECK(cudaMalloc(&block_, total()));
    GPUCERT_CUDA_CHECK(cudaMemset(block_, guard_byte, total()));
    poison();
  }
  guarded_memory(guarded_memory &&other) noexcept { *this = std::move(other); }
  guarded_memory &operator=(guarded_memory &&other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(offset_, other.offset_);
    return *this;
  }
  guarded_memory(const guarded_memory &) = delete;
  guarded_memory &operator=(const guarded_memory &) = delete;
  ~guarded_memory() { cudaFree(block_); } // no throw: an error here was reported by the call that caused it

  void *data() const { return static_cast<unsigned char *>(block_) + guard_bytes + offset_; }
  std::size_t size_bytes() const { return size_; }

  /// Fills the contents so that a value which the kernel did not write is seen.
  void poison() { GPUCERT_CUDA_CHECK(cudaMemset(data(), poison_byte, size_)); }

  /// The distance in bytes of the first damaged guard byte from the start of the contents (negative: before it).
  /// Nothing when both zones are whole. Waits for the device.
  std::optional<std::ptrdiff_t> find_damage() const {
    const std::size_t before = guard_bytes + offset_;
    std::vector<unsigned char> zones(before + guard_bytes); // not the contents, which may be most of the memory
    const unsigned char *block = static_cast<const unsigned char *>(block_);
    GPUCERT_CUDA_CHECK(cudaMemcpy(zones.data(), block, before, cudaMemcpyDeviceToHost));
    GPUCERT_CUDA_CHECK(cudaMemcpy(zones.data() + before, block + before + size_, guard_bytes, cudaMemcpyDeviceToHost));
    for (std::size_t at = 0; at < zones.size(); ++at) {
      if (zones[at] != guard_byte)
        return static_cast<std::ptrdiff_t>(at < before ? at : at + size_) - static_cast<std::ptrdiff_t>(before);
    }
    return std::nullopt;
  }

private:
  std::size_t total() const { return size_ + offset_ + 2 * guard_bytes; }

  void *block_ = nullptr;
  std::size_t size_ = 0;
  std::size_t offset_ = 0;
};

/// An array of `T` in device memory.
template <class T> class device_buffer {
public:
  device_buffer() = default;
  explicit device_buffer(std::size_t count, std::size_t offset_elements = 0)
      : memory_(count * sizeof(T), offset_elements * sizeof(T)), count_(count) {}
  explicit device_buffer(const std::vector<T> &values, std::size_t offset_elements = 0)
      : device_buffer(values.size(), offset_elements) {
    upload(values);
  }

  T *data() const { return static_cast<T *>(memory_.data()); }
  std::size_t size() const { return count_; }
  void poison() { memory_.poison(); }
  std::optional<std::ptrdiff_t> find_damage() const { return memory_.find_damage(); }

  void upload(const std::vector<T> &values) {
    GPUCERT_CUDA_CHECK(cudaMemcpy(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    GPUCERT_CUDA_CHECK(cudaMemcpy(values.data(), data(), count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  guarded_memory memory_;
  std::size_t count_ = 0;
};

} // namespace gpucert
