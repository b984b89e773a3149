// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch.cuh"
#include "kernels/planted_faults.cuh"
#include "kernels/planted_faults.h"

#include <stdexcept>

namespace gpucert {
namespace {

/// A thread for each element, and at least one more.
template <class T> launch_shape shape_for(stream_kernel kernel, const stream_arrays<T> &arrays) {
  if (kernel != stream_kernel::copy)
    throw std::invalid_argument("faults are planted in copy only");
  return {static_cast<unsigned>(arrays.count / stream_threads + 1), stream_threads};
}

} // namespace

template <class T>
void launch_stream_past_end(stream_kernel kernel, const stream_arrays<T> &arrays, T, cudaStream_t stream) {
  launch<planted_past_end<T>>(shape_for(kernel, arrays), stream, arrays.a, arrays.c, arrays.count);
}

template <class T>
void launch_stream_short_tail(stream_kernel kernel, const stream_arrays<T> &arrays, T, cudaStream_t stream) {
  launch<planted_short_tail<T>>(shape_for(kernel, arrays), stream, arrays.a, arrays.c, arrays.count);
}

template <class T>
void launch_stream_idle_block(stream_kernel kernel, const stream_arrays<T> &arrays, T, cudaStream_t stream) {
  launch<planted_idle_block<T>>(shape_for(kernel, arrays), stream, arrays.a, arrays.c, arrays.count);
}

template <class T>
void launch_rmsnorm_without_barrier(const rmsnorm_arrays<T> &arrays, float epsilon, cudaStream_t stream) {
  launch<planted_without_barrier<T>>({static_cast<unsigned>(arrays.rows), rmsnorm_threads}, stream, arrays.x,
                                     arrays.weight, arrays.y, arrays.width, epsilon);
}

template void launch_stream_past_end(stream_kernel, const stream_arrays<float> &, float, cudaStream_t);
template void launch_stream_short_tail(stream_kernel, const stream_arrays<float> &, float, cudaStream_t);
template void launch_stream_idle_block(stream_kernel, const stream_arrays<float> &, float, cudaStream_t);
template void launch_rmsnorm_without_barrier(const rmsnorm_arrays<float> &, float, cudaStream_t);

} // namespace gpucert
