// SPDX-License-Identifier: Apache-2.0
// Host memory that the GPU can reach without the driver's staging copy.
#pragma once

#include "kernels/cuda_error.h"

#include <cstddef>
#include <utility>

namespace gpucert {

/// An array of `T` in page-locked host memory.
template <class T> class pinned_buffer {
public:
  explicit pinned_buffer(std::size_t count) : count_(count) {
    // An empty one has an address too: cudaMallocHost gives none for 0 bytes.
    void *block = nullptr;
    GPUCERT_CUDA_CHECK(cudaMallocHost(&block, (count == 0 ? 1 : count) * sizeof(T)));
    values_ = static_cast<T *>(block);
  }
  pinned_buffer(pinned_buffer &&other) noexcept
      : values_(std::exchange(other.values_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  pinned_buffer &operator=(pinned_buffer &&other) noexcept {
    std::swap(values_, other.values_);
    std::swap(count_, other.count_);
    return *this;
  }
  pinned_buffer(const pinned_buffer &) = delete;
  pinned_buffer &operator=(const pinned_buffer &) = delete;
  ~pinned_buffer() { cudaFreeHost(values_); } // no throw: an error here was reported by the call that caused it

  T *data() const { return values_; }
  std::size_t size() const { return count_; }
  T *begin() const { return values_; }
  T *end() const { return values_ + count_; }

private:
  T *values_ = nullptr;
  std::size_t count_ = 0;
};

} // namespace gpucert
