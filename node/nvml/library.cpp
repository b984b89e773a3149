// SPDX-License-Identifier: Apache-2.0
#include "node/nvml/library.h"

#include "node/nvml/older_names.h"

#include <dlfcn.h>
#include <filesystem>
#include <link.h>

namespace gpucert {

std::optional<nvml_library> nvml_library::open(const std::string &name_or_path, std::string &error) {
  // RTLD_LOCAL: a second copy of NVML in the process (a wrapper's, say) must not meet this one.
  if (void *const handle = dlopen(name_or_path.c_str(), RTLD_NOW | RTLD_LOCAL))
    return nvml_library(handle);
  const char *const reason = dlerror();
  error = reason ? reason : name_or_path + ": cannot be loaded";
  return std::nullopt;
}

std::optional<std::string> nvml_library::path() const {
  link_map *map = nullptr;
  if (dlinfo(handle_.get(), RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name || !*map->l_name)
    return std::nullopt;
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(map->l_name, error);
  return error ? std::string(map->l_name) : resolved.string();
}

nvml_library::symbol nvml_library::find_symbol(const char *newest_name) const {
  const nvml_name_family *const family = find_nvml_name_family(newest_name);
  for (const char *name : family ? family->all() : std::span<const char *const>(&newest_name, 1))
    if (void *const address = dlsym(handle_.get(), name))
      return {name, address};
  return {newest_name, nullptr};
}

void nvml_library::closer::operator()(void *handle) const { dlclose(handle); }

} // namespace gpucert
