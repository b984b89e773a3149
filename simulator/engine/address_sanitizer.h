// SPDX-License-Identifier: Apache-2.0
// AddressSanitizer's interface where the build has it, and nothing where it has not.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define GPUCERT_HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPUCERT_HAS_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef GPUCERT_HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gpucert::simulator {

#ifdef GPUCERT_HAS_ADDRESS_SANITIZER
constexpr bool has_address_sanitizer = true;
inline void poison_memory(void *start, std::size_t bytes) { __asan_poison_memory_region(start, bytes); }
inline void unpoison_memory(void *start, std::size_t bytes) { __asan_unpoison_memory_region(start, bytes); }
inline void start_switch(void **save, const void *bottom, std::size_t bytes) {
  __sanitizer_start_switch_fiber(save, bottom, bytes);
}
inline void finish_switch(void *saved, const void **bottom, std::size_t *bytes) {
  __sanitizer_finish_switch_fiber(saved, bottom, bytes);
}
#else
constexpr bool has_address_sanitizer = false;
inline void poison_memory(void *, std::size_t) {}
inline void unpoison_memory(void *, std::size_t) {}
inline void start_switch(void **, const void *, std::size_t) {}
inline void finish_switch(void *, const void **, std::size_t *) {}
#endif

} // namespace gpucert::simulator
