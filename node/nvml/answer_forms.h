// SPDX-License-Identifier: Apache-2.0
// The forms that NVML's functions come in, each a function that makes a query. They differ in what stands between the
// device and the end of the parameter list.
#pragma once

#include "node/nvml/query.h"

#include <array>
#include <cstring>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gpucert::nvml_forms {

using nvml_abi::return_code;

/// The parameters of a function without its device.
template <class Signature> struct parameters_of;
template <class... Parameters> struct parameters_of<return_code(Parameters...)> {
  using type = std::tuple<Parameters...>;
};
template <class... Parameters> struct parameters_of<return_code(nvml_abi::device, Parameters...)> {
  using type = std::tuple<Parameters...>;
};
template <class Signature> using parameters = typename parameters_of<Signature>::type;

/// What the function writes through its parameter number `Position`.
template <class Signature, std::size_t Position>
using output = std::remove_pointer_t<std::tuple_element_t<Position, parameters<Signature>>>;

template <class... Parameters>
auto bind_device(return_code (*call)(nvml_abi::device, Parameters...), nvml_abi::device device) {
  return [=](Parameters... rest) { return call(device, rest...); };
}
template <class... Parameters> auto bind_device(return_code (*call)(Parameters...), nvml_abi::device) { return call; }

inline ordered_json answer_of(return_code ret) { return {{"ret", static_cast<unsigned>(ret)}}; }

/// Numbers as they are, enumerations as numbers, text up to its end or that of its buffer.
template <class Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number> ordered_json json_of(Number number) {
  if constexpr (std::is_enum_v<Number>)
    return static_cast<std::underlying_type_t<Number>>(number);
  else
    return number;
}
template <std::size_t Size> ordered_json json_of(const std::array<char, Size> &text) {
  return std::string(text.data(), strnlen(text.data(), Size));
}
template <std::size_t Size> ordered_json json_of(const char (&text)[Size]) {
  return std::string(text, strnlen(text, Size));
}

/// Any function: `ask` gets the scope and a callable without the device, and gives the answer.
template <class Signature, class Ask> nvml_query custom(nvml_abi::function<Signature> function, Ask ask) {
  return [=](const nvml_scope &scope, ordered_json &functions) {
    if (const auto found = scope.library.find(function))
      functions[found->name] = ask(scope, bind_device(found->call, scope.device));
  };
}

/// f(device): the return code says it all.
template <class Signature> nvml_query only_ret(nvml_abi::function<Signature> function) {
  return custom(function, [](const nvml_scope &, auto call) { return answer_of(call()); });
}

/// f(device, T *result)
template <class Signature> nvml_query value(nvml_abi::function<Signature> function) {
  return custom(function, [](const nvml_scope &, auto call) {
    output<Signature, 0> result{};
    ordered_json answer = answer_of(call(&result));
    if (answer["ret"] == 0)
      answer["value"] = json_of(result);
    return answer;
  });
}

/// f(device, char *buffer, unsigned length)
template <unsigned Length, class Signature> nvml_query text(nvml_abi::function<Signature> function) {
  return custom(function, [](const nvml_scope &, auto call) {
    std::array<char, Length> buffer{};
    ordered_json answer = answer_of(call(buffer.data(), Length));
    if (answer["ret"] == 0)
      answer["value"] = json_of(buffer);
    return answer;
  });
}

/// f(device, T *first, U *second, ...), with the parameters' names
template <class Signature, class... Names> nvml_query values(nvml_abi::function<Signature> function, Names... names) {
  static_assert(sizeof...(Names) == std::tuple_size_v<parameters<Signature>>);
  return custom(function, [=](const nvml_scope &, auto call) {
    return [&]<std::size_t... Position>(std::index_sequence<Position...>) {
      std::tuple<output<Signature, Position>...> results{};
      ordered_json answer = answer_of(call(&std::get<Position>(results)...));
      if (answer["ret"] == 0)
        answer["values"] = {{names, json_of(std::get<Position>(results))}...};
      return answer;
    }
    (std::index_sequence_for<Names...>{});
  });
}

/// A member of a result structure, under its name in nvml.h.
template <class Structure, class Type> struct member {
  const char *name;
  Type Structure::*at;
};
template <class Structure, class Type> member(const char *, Type Structure::*) -> member<Structure, Type>;

template <class Structure, class... Members> ordered_json json_of_members(const Structure &result, Members... members) {
  return {{members.name, json_of(result.*members.at)}...};
}

/// f(device, structure *result), without a version
template <class Signature, class... Members>
nvml_query structure(nvml_abi::function<Signature> function, Members... members) {
  return custom(function, [=](const nvml_scope &, auto call) {
    output<Signature, 0> result{};
    ordered_json answer = answer_of(call(&result));
    if (answer["ret"] == 0)
      answer["values"] = json_of_members(result, members...);
    return answer;
  });
}

/// f(device, structure *result), where the caller states in `version` what it passes
template <class Signature, class... Members>
nvml_query versioned_structure(nvml_abi::function<Signature> function, unsigned version, Members... members) {
  return custom(function, [=](const nvml_scope &, auto call) {
    output<Signature, 0> result{};
    result.version = version;
    ordered_json answer = answer_of(call(&result));
    if (answer["ret"] == 0)
      answer["values"] = json_of_members(result, members...);
    return answer;
  });
}

/// An argument of a function, under its name in nvml.h, and the numbers to ask it with.
struct argument {
  const char *name;
  std::vector<unsigned> numbers;
};

/// `{"calls": [...]}`, or just the code where every argument met the same refusal: without `calls` an answer holds for
/// any argument.
ordered_json merge_calls(std::vector<ordered_json> calls);

/// Every combination of the arguments' numbers, last argument fastest.
std::vector<std::vector<unsigned>> combinations(const std::vector<argument> &arguments);

/// f(device, A argument, ..., T *result), asked with every combination of the arguments' numbers
template <class Signature, class... Arguments>
nvml_query calls(nvml_abi::function<Signature> function, Arguments... arguments) {
  constexpr std::size_t count = sizeof...(Arguments);
  static_assert(count + 1 == std::tuple_size_v<parameters<Signature>>);
  return custom(function, [all = std::vector<argument>{arguments...}](const nvml_scope &, auto call) {
    std::vector<ordered_json> answers;
    for (const std::vector<unsigned> &numbers : combinations(all)) {
      output<Signature, count> result{};
      ordered_json answer;
      for (std::size_t i = 0; i < count; ++i)
        answer["args"][all[i].name] = numbers[i];
      const return_code ret = [&]<std::size_t... Position>(std::index_sequence<Position...>) {
        return call(static_cast<std::tuple_element_t<Position, parameters<Signature>>>(numbers[Position])..., &result);
      }
      (std::make_index_sequence<count>{});
      answer["ret"] = static_cast<unsigned>(ret);
      if (ret == return_code::success)
        answer["value"] = json_of(result);
      answers.push_back(std::move(answer));
    }
    return merge_calls(std::move(answers));
  });
}

/// The number of an enumerator, for the lists of `argument`.
template <class Enum> constexpr unsigned number_of(Enum enumerator) { return static_cast<unsigned>(enumerator); }

} // namespace gpucert::nvml_forms
