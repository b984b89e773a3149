// SPDX-License-Identifier: Apache-2.0
#include "node/kmod_library.h"

#include <fmt/format.h>
#include <libkmod.h>

#include <dlfcn.h>
#include <memory>

namespace gpucert {
namespace {

struct library_closer {
  void operator()(void *library) const { ::dlclose(library); }
};

/// The functions that we call, typed by libkmod's own header.
struct kmod_functions {
  decltype(&::kmod_new) create;
  decltype(&::kmod_unref) release;
  decltype(&::kmod_set_log_fn) set_log;
  decltype(&::kmod_module_new_from_lookup) look_up;
  decltype(&::kmod_module_get_module) module_of;
  decltype(&::kmod_module_unref) release_module;
  decltype(&::kmod_module_unref_list) release_list;
  decltype(&::kmod_module_get_path) path;
  decltype(&::kmod_module_get_info) info;
  decltype(&::kmod_module_info_get_key) key;
  decltype(&::kmod_module_info_get_value) value;
  decltype(&::kmod_module_info_free_list) free_info;
  decltype(&::kmod_list_next) next;
};

template <class Function> bool bind(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(::dlsym(library, name)); // NOLINT: what dlsym is for
  return function != nullptr;
}

std::optional<kmod_functions> bind_all(void *library) {
  kmod_functions kmod{};
  const bool complete =
      bind(library, "kmod_new", kmod.create) && bind(library, "kmod_unref", kmod.release) &&
      bind(library, "kmod_set_log_fn", kmod.set_log) && bind(library, "kmod_module_new_from_lookup", kmod.look_up) &&
      bind(library, "kmod_module_get_module", kmod.module_of) &&
      bind(library, "kmod_module_unref", kmod.release_module) &&
      bind(library, "kmod_module_unref_list", kmod.release_list) && bind(library, "kmod_module_get_path", kmod.path) &&
      bind(library, "kmod_module_get_info", kmod.info) && bind(library, "kmod_module_info_get_key", kmod.key) &&
      bind(library, "kmod_module_info_get_value", kmod.value) &&
      bind(library, "kmod_module_info_free_list", kmod.free_info) && bind(library, "kmod_list_next", kmod.next);
  return complete ? std::optional(kmod) : std::nullopt;
}

void log_nothing(void *, int, const char *, int, const char *, const char *, va_list) {}

std::string describe(const kmod_functions &kmod, kmod_module *module) {
  const char *path = kmod.path(module);
  std::string text = fmt::format("filename:       {}\n", path != nullptr ? path : "(builtin)");
  kmod_list *info = nullptr;
  if (kmod.info(module, &info) < 0)
    return text;
  for (kmod_list *at = info; at != nullptr; at = kmod.next(info, at))
    text += fmt::format("{:<16}{}\n", fmt::format("{}:", kmod.key(at)), kmod.value(at));
  kmod.free_info(info);
  return text;
}

} // namespace

std::optional<std::string> describe_module_with_libkmod(const std::string &modules_folder, const std::string &name) {
  const std::unique_ptr<void, library_closer> library(::dlopen("libkmod.so.2", RTLD_NOW | RTLD_LOCAL));
  if (!library)
    return std::nullopt;
  const std::optional<kmod_functions> kmod = bind_all(library.get());
  if (!kmod)
    return std::nullopt;
  // No configuration: aliases and blacklists of our own machine say nothing about a tree.
  const char *const no_configuration = nullptr;
  const std::unique_ptr<kmod_ctx, decltype(kmod->release)> context(
      kmod->create(modules_folder.c_str(), &no_configuration), kmod->release);
  if (!context)
    return std::nullopt;
  kmod->set_log(context.get(), log_nothing, nullptr);
  kmod_list *found = nullptr;
  if (kmod->look_up(context.get(), name.c_str(), &found) < 0 || found == nullptr)
    return "";
  const std::unique_ptr<kmod_module, decltype(kmod->release_module)> module(kmod->module_of(found),
                                                                            kmod->release_module);
  std::string text = describe(*kmod, module.get());
  kmod->release_list(found);
  return text;
}

} // namespace gpucert
