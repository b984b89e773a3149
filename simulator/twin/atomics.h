// SPDX-License-Identifier: Apache-2.0
// Atomic operations. The threads of a process take turns, so that reading and writing is enough.
#pragma once

namespace gpucert::twin {

template <class T> struct same_type { using type = T; };
/// A parameter of this type takes no part in deduction, so that atomicAdd(&counter, 1) works for every counter.
template <class T> using same = typename same_type<T>::type;

template <class T> T replace(T *address, T value) {
  const T old = *address;
  *address = value;
  return old;
}

} // namespace gpucert::twin

template <class T> T atomicExch(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, value);
}
template <class T> T atomicCAS(T *address, gpucert::twin::same<T> expected, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, *address == expected ? value : *address);
}
template <class T> T atomicAdd(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, static_cast<T>(*address + value));
}
template <class T> T atomicSub(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, static_cast<T>(*address - value));
}
template <class T> T atomicMin(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, value < *address ? value : *address);
}
template <class T> T atomicMax(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, *address < value ? value : *address);
}
template <class T> T atomicAnd(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, *address & value);
}
template <class T> T atomicOr(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, *address | value);
}
template <class T> T atomicXor(T *address, gpucert::twin::same<T> value) {
  return gpucert::twin::replace<T>(address, *address ^ value);
}
inline unsigned atomicInc(unsigned *address, unsigned limit) {
  return gpucert::twin::replace(address, *address >= limit ? 0U : *address + 1);
}
