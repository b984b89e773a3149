// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong on purpose, to prove that the checks of conformance/ find such faults. Never shipped.
#pragma once

#include "kernels/rmsnorm.h"
#include "kernels/stream.h"

namespace gpucert {

/// Copies one element too many: a write past the end of c.
template <class T>
void launch_stream_past_end(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream);

/// Copies whole packs and leaves out the last element of the tail.
template <class T>
void launch_stream_short_tail(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream);

/// Copies all but the elements of the last block, which does nothing: c keeps there what it held.
template <class T>
void launch_stream_idle_block(stream_kernel kernel, const stream_arrays<T> &arrays, T scalar, cudaStream_t stream);

/// Adds up a row in two halves with a block sum that lacks its first barrier: a fast warp overwrites the sums of the
/// first half while a slow one still reads them. Right in most orders of threads.
template <class T>
void launch_rmsnorm_without_barrier(const rmsnorm_arrays<T> &arrays, float epsilon, cudaStream_t stream);

} // namespace gpucert
