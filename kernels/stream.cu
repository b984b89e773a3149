// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch.cuh"
#include "kernels/stream.cuh"
#include "kernels/stream.h"

#include <algorithm>

namespace gpucert {
namespace {

/// A thread for each item, up to `most_blocks`.
template <int Width> unsigned blocks_for(std::size_t count, std::size_t most_blocks) {
  const std::size_t blocks = (stream_items<Width>(count) + stream_threads - 1) / stream_threads;
  return static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, most_blocks));
}

template <class T, int Width> void launch_dot(const stream_arrays<T> &arrays, cudaStream_t stream) {
  const unsigned blocks = blocks_for<Width>(arrays.count, stream_dot_blocks_limit);
  launch<stream_dot_blocks<T, Width>>({blocks, stream_threads}, stream, arrays.a, arrays.b, arrays.partial_sums,
                                      arrays.count);
  launch<stream_dot_total<T>>({1, stream_threads}, stream, arrays.partial_sums, blocks, arrays.sum);
}

template <class T, int Width>
void launch_width(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream) {
  if (kernel == stream_kernel::dot)
    return launch_dot<T, Width>(arrays, stream);
  if (arrays.count == 0)
    return;                                       // a grid of no blocks is an error to CUDA
  constexpr std::size_t most_blocks = 2147483647; // of a grid in x; the kernels go on in strides
  const launch_shape shape{blocks_for<Width>(arrays.count, most_blocks), stream_threads};
  switch (kernel) {
  case stream_kernel::copy:
    return launch<stream_copy<T, Width>>(shape, stream, arrays.a, arrays.c, arrays.count);
  case stream_kernel::mul:
    return launch<stream_mul<T, Width>>(shape, stream, arrays.b, arrays.c, scalar, arrays.count);
  case stream_kernel::add:
    return launch<stream_add<T, Width>>(shape, stream, arrays.a, arrays.b, arrays.c, arrays.count);
  case stream_kernel::triad:
    return launch<stream_triad<T, Width>>(shape, stream, arrays.a, arrays.b, arrays.c, scalar, arrays.count);
  case stream_kernel::dot:
    return; // above
  }
}

} // namespace

template <class T>
void launch_stream(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream) {
  if (is_pack_aligned(arrays.a) && is_pack_aligned(arrays.b) && is_pack_aligned(arrays.c))
    launch_width<T, pack_width<T>>(kernel, arrays, scalar, stream);
  else
    launch_width<T, 1>(kernel, arrays, scalar, stream);
}

template void launch_stream(stream_kernel, const stream_arrays<float> &, float, cudaStream_t);
template void launch_stream(stream_kernel, const stream_arrays<double> &, double, cudaStream_t);

} // namespace gpucert
