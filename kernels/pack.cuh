// SPDX-License-Identifier: Apache-2.0
// Packs: several neighbouring elements that a thread moves with one instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace gpucert {

constexpr std::size_t pack_bytes = 16; // the widest load and store up to compute capability 9.0

/// How many elements of T a pack holds.
template <class T> constexpr int pack_width = static_cast<int>(pack_bytes / sizeof(T));

template <class T, int Width> struct alignas(sizeof(T) * Width) pack { T at[Width]; };

/// Elements [Width * index, Width * (index + 1)) of an array that is aligned to packs.
template <int Width, class T> __device__ inline pack<T, Width> load_pack(const T *array, std::size_t index) {
  return reinterpret_cast<const pack<T, Width> *>(array)[index];
}

template <int Width, class T>
__device__ inline void store_pack(T *array, std::size_t index, const pack<T, Width> &values) {
  reinterpret_cast<pack<T, Width> *>(array)[index] = values;
}

inline bool is_pack_aligned(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % pack_bytes == 0; }

} // namespace gpucert
