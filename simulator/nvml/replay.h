// SPDX-License-Identifier: Apache-2.0
// Answers of the simulated NVML, looked up in the node's nvml.json by function and argument.
#pragma once

#include "node/nvml/abi.h"
#include "simulator/simulation.h"

#include <cstring>
#include <initializer_list>
#include <type_traits>

/// What a device handle points to.
struct gpucert::nvml_abi::device_record {
  int index;
};

namespace gpucert::simulator {

using nvml_abi::device;
using nvml_abi::return_code;

struct replay_argument {
  const char *name;
  unsigned value;
};

struct replay_answer {
  return_code ret = return_code::function_not_found;
  const nlohmann::json *content = nullptr; // with "value" or "values" when ret is success
};

/// `gpu` null: a function without a device. What was not recorded is not found (13), or with other arguments not
/// supported (3), as capture-format says.
replay_answer find_answer(device gpu, const char *function, std::initializer_list<replay_argument> arguments = {});
replay_answer find_field(device gpu, const char *name);

/// The handle of a device; null when there is none.
device device_at(unsigned index);

template <class T> T number_as(const nlohmann::json &value) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<T>(value.get<std::underlying_type_t<T>>());
  else
    return value.get<T>();
}

template <class T>
return_code replay_number(device gpu, const char *function, T *out,
                          std::initializer_list<replay_argument> arguments = {}) {
  const replay_answer answer = find_answer(gpu, function, arguments);
  if (answer.ret == return_code::success)
    *out = number_as<T>(answer.content->at("value"));
  return answer.ret;
}

return_code replay_text(device gpu, const char *function, char *buffer, unsigned length);

/// A result and its name in nvml.json.
template <class T> struct replay_member {
  const char *name;
  T *out;
};
template <class T> replay_member(const char *, T *) -> replay_member<T>;

/// A member that was not recorded stays as it is.
template <class... T> return_code replay_members(device gpu, const char *function, replay_member<T>... members) {
  const replay_answer answer = find_answer(gpu, function);
  if (answer.ret != return_code::success)
    return answer.ret;
  const nlohmann::json &values = answer.content->at("values");
  const auto take = [&](const auto &member) {
    if (const auto found = values.find(member.name); found != values.end())
      *member.out = number_as<std::remove_pointer_t<decltype(member.out)>>(*found);
  };
  (take(members), ...);
  return return_code::success;
}

} // namespace gpucert::simulator
