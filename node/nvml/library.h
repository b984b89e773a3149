// SPDX-License-Identifier: Apache-2.0
// The NVML library of the node, opened at run time.
#pragma once

#include "node/nvml/abi.h"

#include <memory>
#include <optional>
#include <string>

namespace gpucert {

/// A function that was found: the name that the library exports, and what to call.
template <class Signature> struct nvml_found_function {
  const char *name;
  Signature *call;
};

/// An open copy of the library, closed with the object.
class nvml_library {
public:
  /// Opens the library by a name for the loader to search, or by a path. Nothing, and the loader's reason in `error`,
  /// when there is none that can be loaded.
  static std::optional<nvml_library> open(const std::string &name_or_path, std::string &error);

  /// The file that the loader took, links resolved: its name ends in the driver release. Absent if the loader does not
  /// tell.
  std::optional<std::string> path() const;

  /// Looks the function up by its newest name, then by its older ones.
  template <class Signature>
  std::optional<nvml_found_function<Signature>> find(nvml_abi::function<Signature> function) const {
    const symbol found = find_symbol(function.name);
    if (!found.address)
      return std::nullopt;
    return nvml_found_function<Signature>{found.name, reinterpret_cast<Signature *>(found.address)};
  }

private:
  struct symbol {
    const char *name;
    void *address;
  };
  struct closer {
    void operator()(void *handle) const;
  };

  explicit nvml_library(void *handle) : handle_(handle) {}
  symbol find_symbol(const char *newest_name) const;

  std::unique_ptr<void, closer> handle_;
};

} // namespace gpucert
