// SPDX-License-Identifier: Apache-2.0
#include "node/nvml_record.h"

#include "node/nvml/older_names.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gpucert {
namespace {

// Codes that the format gives a meaning of its own.
constexpr int ret_success = 0;
constexpr int ret_not_supported = 3;

template <class Value> const Value *value_in(const std::vector<nvml_answers::number_or_text> &samples, std::size_t at) {
  return samples.empty() ? nullptr : std::get_if<Value>(&samples[std::min(at, samples.size() - 1)]);
}

template <class Value> std::optional<Value> copy_of(const Value *value) {
  return value ? std::optional<Value>(*value) : std::nullopt;
}

} // namespace

std::string_view nvml_return_name(int ret) {
  struct meaning {
    int ret;
    std::string_view text;
  };
  static constexpr meaning meanings[] = {
      {0, "success"},
      {1, "NVML is not initialised"},
      {2, "invalid argument"},
      {3, "not supported"},
      {4, "no permission"},
      {6, "not found"},
      {7, "buffer too small"},
      {8, "external power cables are not attached"},
      {9, "driver not loaded"},
      {10, "timeout"},
      {11, "interrupt problem with a GPU"},
      {12, "NVML library not found"},
      {13, "function not found in the library"},
      {14, "InfoROM is corrupt"},
      {15, "GPU is lost (fallen off the bus)"},
      {16, "GPU must be reset"},
      {17, "blocked by the operating system (cgroup)"},
      {18, "library and kernel module differ in version"},
      {19, "GPU in use"},
      {20, "out of memory"},
      {21, "no data"},
      {23, "out of resources"},
      {25, "structure version not known to the library"},
      {26, "function withdrawn"},
      {27, "system not ready"},
      {28, "no GPU found"},
      {29, "invalid state"},
      {999, "unknown error in the driver"},
  };
  for (const meaning &known : meanings)
    if (known.ret == ret)
      return known.text;
  return "code without a known meaning";
}

nvml_answers::lookup nvml_answers::find(std::string_view function, nvml_arguments arguments) const {
  auto recorded = answers_.find(function);
  if (recorded == answers_.end())
    if (const nvml_name_family *const family = find_nvml_name_family(function))
      for (const char *older : family->all().subspan(1))
        if (recorded == answers_.end())
          recorded = answers_.find(older);
  if (recorded == answers_.end())
    return {ret_if_absent_, nullptr};

  std::sort(arguments.begin(), arguments.end());
  for (const answer &one : recorded->second)
    if (!one.arguments || *one.arguments == arguments)
      return {one.ret, one.ret == ret_success ? &one : nullptr};
  return {ret_not_supported, nullptr};
}

int nvml_answers::ret(std::string_view function, nvml_arguments arguments) const {
  return find(function, std::move(arguments)).ret;
}

std::optional<long long> nvml_answers::value(std::string_view function, nvml_arguments arguments,
                                             std::size_t reading) const {
  const answer *const found = find(function, std::move(arguments)).found;
  return found ? copy_of(value_in<long long>(found->samples, reading)) : std::nullopt;
}

std::size_t nvml_answers::readings(std::string_view function, nvml_arguments arguments) const {
  const answer *const found = find(function, std::move(arguments)).found;
  return found ? found->samples.size() : 0;
}

std::optional<std::string> nvml_answers::text(std::string_view function) const {
  const answer *const found = find(function, {}).found;
  return found ? copy_of(value_in<std::string>(found->samples, 0)) : std::nullopt;
}

std::optional<long long> nvml_answers::values(std::string_view function, std::string_view member) const {
  const answer *const found = find(function, {}).found;
  const auto at = found ? found->members.find(member) : decltype(found->members.find(member)){};
  return found && at != found->members.end() ? copy_of(std::get_if<long long>(&at->second)) : std::nullopt;
}

std::optional<std::string> nvml_answers::values_text(std::string_view function, std::string_view member) const {
  const answer *const found = find(function, {}).found;
  const auto at = found ? found->members.find(member) : decltype(found->members.find(member)){};
  return found && at != found->members.end() ? copy_of(std::get_if<std::string>(&at->second)) : std::nullopt;
}

} // namespace gpucert
