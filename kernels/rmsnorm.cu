// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch.cuh"
#include "kernels/rmsnorm.cuh"
#include "kernels/rmsnorm.h"

#include <stdexcept>
#include <string>

namespace gpucert {

template <class T> void launch_rmsnorm(const rmsnorm_arrays<T> &arrays, float epsilon, cudaStream_t stream) {
  constexpr std::size_t most_rows = 2147483647; // blocks of a grid in x
  constexpr std::size_t most_width = 1 << 24;
  if (arrays.rows > most_rows || arrays.width > most_width)
    throw std::invalid_argument("rmsnorm of " + std::to_string(arrays.rows) + " rows of " +
                                std::to_string(arrays.width) + " elements: at most 2147483647 rows of 16777216");
  if (arrays.rows == 0 || arrays.width == 0)
    return;
  const launch_shape shape{static_cast<unsigned>(arrays.rows), rmsnorm_threads};
  const bool has_packs = arrays.width % pack_width<T> == 0 && is_pack_aligned(arrays.x) &&
                         is_pack_aligned(arrays.weight) && is_pack_aligned(arrays.y);
  if (has_packs)
    launch<rmsnorm<T, pack_width<T>>>(shape, stream, arrays.x, arrays.weight, arrays.y, arrays.width, epsilon);
  else
    launch<rmsnorm<T, 1>>(shape, stream, arrays.x, arrays.weight, arrays.y, arrays.width, epsilon);
}

template void launch_rmsnorm(const rmsnorm_arrays<float> &, float, cudaStream_t);
template void launch_rmsnorm(const rmsnorm_arrays<__half> &, float, cudaStream_t);
template void launch_rmsnorm(const rmsnorm_arrays<__nv_bfloat16> &, float, cudaStream_t);

} // namespace gpucert
