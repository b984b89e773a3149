// SPDX-License-Identifier: Apache-2.0
// Which kernel a program means: it launches the address of a stub, registered under the kernel's mangled name; a twin
// registers its kernels under the same names.
#pragma once

#include "simulator/twin_abi.h"

#include <string>

namespace gpucert::simulator {

struct registered_function {
  std::string name;                          // mangled
  const twin_kernel *kernel = nullptr;       // none: the twin has no such kernel
  int most_dynamic_shared_bytes = 48 * 1024; // raised by cudaFuncSetAttribute
};

void register_stub(const void *stub, const char *name);
bool register_twin_kernel(const twin_kernel &kernel);

/// Null when nothing was registered at this address. Opens the twin on first use.
registered_function *find_function(const void *stub);

} // namespace gpucert::simulator
