// SPDX-License-Identifier: Apache-2.0
// Functions of numbers that the toolkit's headers keep for nvcc. Approximate ones are exact here.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

namespace gpucert::twin {
template <class To, class From> To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
} // namespace gpucert::twin

inline float rsqrtf(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
// Named by the C library already.
#define __expf(x) expf(x)
#define __exp10f(x) ::powf(10.0F, x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __powf(x, y) powf(x, y)
inline float __fdividef(float a, float b) { return a / b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1 / a; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __saturatef(float x) { return x >= 1 ? 1.0F : x > 0 ? x : 0.0F; } // NaN becomes 0

inline float __int_as_float(int x) { return gpucert::twin::same_bits<float>(x); }
inline int __float_as_int(float x) { return gpucert::twin::same_bits<int>(x); }
inline float __uint_as_float(unsigned x) { return gpucert::twin::same_bits<float>(x); }
inline unsigned __float_as_uint(float x) { return gpucert::twin::same_bits<unsigned>(x); }
inline double __longlong_as_double(long long x) { return gpucert::twin::same_bits<double>(x); }
inline long long __double_as_longlong(double x) { return gpucert::twin::same_bits<long long>(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x != 0 ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) { return x != 0 ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit)
    reversed |= (x >> bit & 1U) << (31 - bit);
  return reversed;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(1ULL * a * b >> 32U); }
inline int __dp4a(int a, int b, int sum) {
  for (int byte = 0; byte < 4; ++byte)
    sum += static_cast<signed char>(a >> 8 * byte) * static_cast<signed char>(b >> 8 * byte);
  return sum;
}

// Loads and stores with a caching hint.
template <class T> T __ldg(const T *address) { return *address; }
template <class T> T __ldcs(const T *address) { return *address; }
template <class T> T __ldca(const T *address) { return *address; }
template <class T> T __ldcg(const T *address) { return *address; }
template <class T> T __ldcv(const T *address) { return *address; }
template <class T> void __stcs(T *address, T value) { *address = value; }
template <class T> void __stcg(T *address, T value) { *address = value; }
template <class T> void __stwt(T *address, T value) { *address = value; }

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
