// SPDX-License-Identifier: Apache-2.0
// What kernels/launch.cuh needs where the host compiler builds the kernels (-DGPUCERT_TWIN): every instance of a kernel
// that is launched somewhere registers itself when the twin is loaded.
#pragma once

#include "simulator/twin_abi.h"

#include <type_traits>
#include <utility>

namespace gpucert::twin {

/// Set by the engine. Plain variables: the blocks of a process run one after another on one thread of the host.
inline const simulator::kernel_thread *current = nullptr;
inline void *shared_memory = nullptr;

inline void *dynamic_shared() { return shared_memory; }

template <class Kernel> struct kernel_signature;
template <class... Parameters> struct kernel_signature<void (*)(Parameters...)> {
  static constexpr unsigned count = sizeof...(Parameters);
  static constexpr std::size_t bytes[count + 1] = {sizeof(Parameters)..., 0};
  static constexpr bool is_pointer[count + 1] = {std::is_pointer_v<Parameters>..., false};

  static void invoke(const void *function, void *const *arguments) {
    call(reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(function)), arguments,
         std::index_sequence_for<Parameters...>{});
  }

private:
  template <std::size_t... Index>
  static void call(void (*kernel)(Parameters...), [[maybe_unused]] void *const *arguments,
                   std::index_sequence<Index...>) {
    kernel(*static_cast<std::remove_reference_t<Parameters> *>(arguments[Index])...);
  }
};

template <auto Kernel> struct registered {
  static bool enter() {
    using signature = kernel_signature<decltype(Kernel)>;
    static const simulator::twin_kernel kernel{reinterpret_cast<const void *>(Kernel),
                                               &signature::invoke,
                                               signature::count,
                                               signature::bytes,
                                               signature::is_pointer,
                                               &current,
                                               &shared_memory};
    return gpucert_simulator_register_kernel(&kernel);
  }
  static inline const bool once = enter();
};

} // namespace gpucert::twin
