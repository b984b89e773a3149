// SPDX-License-Identifier: Apache-2.0
// A CUDA stream that owns itself.
#pragma once

#include "kernels/cuda_error.h"

#include <utility>

namespace gpucert {

/// Independent of the default stream, which waits for nobody.
class cuda_stream {
public:
  cuda_stream() { GPUCERT_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  cuda_stream(cuda_stream &&other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  cuda_stream &operator=(cuda_stream &&other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  cuda_stream(const cuda_stream &) = delete;
  cuda_stream &operator=(const cuda_stream &) = delete;
  ~cuda_stream() {
    if (stream_ != nullptr)
      cudaStreamDestroy(stream_); // no throw: an error here was reported by the call that caused it
  }

  cudaStream_t get() const { return stream_; }
  void synchronize() const { GPUCERT_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

private:
  cudaStream_t stream_ = nullptr;
};

} // namespace gpucert
