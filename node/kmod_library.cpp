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
  decltype(&::kmod_module_new_from_path) open;
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
      bind(library, "kmod_module_new_from_path", kmod.open) &&
      bind(library, "kmod_module_get_module", kmod.module_of) &&
      bind(library, "kmod_module_unref", kmod.release_module) &&
      bind(library, "kmod_module_unref_list", kmod.release_list) && bind(library, "kmod_module_get_path", kmod.path) &&
      bind(library, "kmod_module_get_info", kmod.info) && bind(library, "kmod_module_info_get_key", kmod.key) &&
      bind(library, "kmod_module_info_get_value", kmod.value) &&
      bind(library, "kmod_module_info_free_list", kmod.free_info) && bind(library, "kmod_list_next", kmod.next);
  return complete ? std::optional(kmod) : std::nullopt;
}

void log_nothing(void *, int, const char *, int, const char *, const char *, va_list) {}

/// libkmod and its context for the modules of one kernel.
class kmod_session {
public:
  explicit kmod_session(const char *modules_folder) : library_(::dlopen("libkmod.so.2", RTLD_NOW | RTLD_LOCAL)) {
    if (library_)
      functions_ = bind_all(library_.get());
    // No configuration: aliases and blacklists of our own machine say nothing about a tree.
    const char *const no_configuration = nullptr;
    if (functions_)
      context_ = functions_->create(modules_folder, &no_configuration);
    if (context_ != nullptr)
      functions_->set_log(context_, log_nothing, nullptr);
  }
  ~kmod_session() {
    if (context_ != nullptr)
      functions_->release(context_);
  }
  kmod_session(const kmod_session &) = delete;
  kmod_session &operator=(const kmod_session &) = delete;

  bool is_open() const { return context_ != nullptr; }
  const kmod_functions &functions() const { return *functions_; }
  kmod_ctx *context() const { return context_; }

private:
  std::unique_ptr<void, library_closer> library_;
  std::optional<kmod_functions> functions_;
  kmod_ctx *context_ = nullptr;
};

using module_handle = std::unique_ptr<kmod_module, decltype(&::kmod_module_unref)>;

} // namespace

std::optional<std::string> find_module_with_libkmod(const std::string &modules_folder, const std::string &name) {
  const kmod_session kmod(modules_folder.c_str());
  if (!kmod.is_open())
    return std::nullopt;
  kmod_list *found = nullptr;
  if (kmod.functions().look_up(kmod.context(), name.c_str(), &found) < 0 || found == nullptr)
    return "";
  const module_handle module(kmod.functions().module_of(found), kmod.functions().release_module);
  const char *path = kmod.functions().path(module.get());
  std::string result = path != nullptr ? path : ""; // null for what is built into the kernel
  kmod.functions().release_list(found);
  return result;
}

std::optional<std::string> describe_module_with_libkmod(const std::string &file) {
  const kmod_session kmod("/"); // a file needs no index
  kmod_module *opened = nullptr;
  if (!kmod.is_open() || kmod.functions().open(kmod.context(), file.c_str(), &opened) < 0)
    return std::nullopt;
  const module_handle module(opened, kmod.functions().release_module);
  kmod_list *info = nullptr;
  if (kmod.functions().info(module.get(), &info) < 0)
    return std::nullopt;
  std::string text;
  for (kmod_list *at = info; at != nullptr; at = kmod.functions().next(info, at))
    text += fmt::format("{:<16}{}\n", fmt::format("{}:", kmod.functions().key(at)), kmod.functions().value(at));
  kmod.functions().free_info(info);
  return text;
}

} // namespace gpucert
