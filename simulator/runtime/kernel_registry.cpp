// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/kernel_registry.h"

#include "simulator/runtime/driver_library.h"

#include <dlfcn.h>
#include <map>
#include <mutex>
#include <unordered_map>

namespace gpucert::simulator {
namespace {

// Filled by static objects of other libraries, before this one's own may be ready: hence created on first use.
struct registry {
  std::recursive_mutex mutex; // opening the twin registers its kernels
  std::unordered_map<const void *, registered_function> functions;
  std::map<std::string, const twin_kernel *> kernels;

  static registry &instance() {
    static auto *made = new registry;
    return *made;
  }
};

} // namespace

void register_stub(const void *stub, const char *name) {
  registry &known = registry::instance();
  const std::lock_guard lock(known.mutex);
  known.functions[stub].name = name;
}

bool register_twin_kernel(const twin_kernel &kernel) {
  Dl_info info{};
  if (dladdr(kernel.function, &info) == 0 || !info.dli_sname || info.dli_saddr != kernel.function)
    return false;
  registry &known = registry::instance();
  const std::lock_guard lock(known.mutex);
  known.kernels.emplace(info.dli_sname, &kernel);
  return true;
}

registered_function *find_function(const void *stub) {
  registry &known = registry::instance();
  const std::lock_guard lock(known.mutex);
  const auto found = known.functions.find(stub);
  if (found == known.functions.end())
    return nullptr;
  registered_function &function = found->second;
  if (!function.kernel) {
    open_twin();
    if (const auto kernel = known.kernels.find(function.name); kernel != known.kernels.end())
      function.kernel = kernel->second;
  }
  return &function;
}

} // namespace gpucert::simulator
