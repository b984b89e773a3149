// SPDX-License-Identifier: Apache-2.0
// parse_nvml_record: from the text of nvml.json to nvml_record.
#include "node/nvml_record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace gpucert {
namespace {

using nlohmann::json;

// The format nests 7 deep; a node of 16 GPUs gives 300 kB.
constexpr int depth_limit = 32;
constexpr std::size_t size_limit_bytes = 64U << 20;

constexpr int ret_function_not_found = 13;
constexpr int ret_not_supported = 3;

/// The text is not nvml.json. Thrown and caught in this file only.
struct malformed : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The depth of brackets outside of strings, so that a deep text is refused before a tree of it exists.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

const json *member_of(const json &object, const char *key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

/// A whole number that fits. Counters of 2^63 and more do not occur; NVML's "not available" of all ones does.
std::optional<long long> whole_number(const json &value) {
  if (value.is_number_unsigned() && value.get<unsigned long long>() > std::numeric_limits<long long>::max())
    return std::nullopt;
  return value.is_number_integer() ? std::optional(value.get<long long>()) : std::nullopt;
}

/// Values of other types (a fraction, a list) are not of use here and leave the answer without a value.
std::optional<nvml_answers::number_or_text> number_or_text_of(const json &value) {
  if (value.is_string())
    return value.get<std::string>();
  if (const auto number = whole_number(value))
    return *number;
  return std::nullopt;
}

int code_or_index(const json &object, const char *key, const std::string &where) {
  const json *const value = member_of(object, key);
  const auto number = value ? whole_number(*value) : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
    throw malformed(fmt::format("{}: {} is not a number from 0 on", where, key));
  return static_cast<int>(*number);
}

const json &object_or_empty(const json &parent, const char *key, const std::string &where) {
  static const json empty = json::object();
  const json *const found = member_of(parent, key);
  if (found && !found->is_object())
    throw malformed(fmt::format("{}{} is not an object", where, key));
  return found ? *found : empty;
}

nvml_answers::answer parse_answer(const json &entry, const std::string &where) {
  if (!entry.is_object())
    throw malformed(fmt::format("{} is not an object", where));
  nvml_answers::answer answer;
  answer.ret = code_or_index(entry, "ret", where);
  if (const json *const samples = member_of(entry, "samples")) {
    if (!samples->is_array())
      throw malformed(fmt::format("{}: samples is not a list", where));
    for (const json &sample : *samples) {
      auto value = number_or_text_of(sample);
      if (!value)
        throw malformed(fmt::format("{}: a sample is neither a whole number nor text", where));
      answer.samples.push_back(*std::move(value));
    }
  } else if (const json *const single = member_of(entry, "value")) {
    if (auto value = number_or_text_of(*single))
      answer.samples.push_back(*std::move(value));
  }
  for (const auto &[name, value] : object_or_empty(entry, "values", where + ": ").items())
    if (auto known = number_or_text_of(value))
      answer.members.emplace(name, *std::move(known));
  return answer;
}

nvml_arguments parse_arguments(const json &call, const std::string &where) {
  nvml_arguments arguments;
  for (const auto &[name, value] : object_or_empty(call, "args", where + ": ").items()) {
    const auto number = whole_number(value);
    if (!number)
      throw malformed(fmt::format("{}: argument {} is not a whole number", where, name));
    arguments.push_back({name, *number});
  }
  std::sort(arguments.begin(), arguments.end());
  return arguments;
}

std::vector<nvml_answers::answer> parse_calls(const json &entry, const std::string &where) {
  const json *const calls = entry.is_object() ? member_of(entry, "calls") : nullptr;
  if (!calls)
    return {parse_answer(entry, where)};
  if (!calls->is_array())
    throw malformed(fmt::format("{}: calls is not a list", where));
  std::vector<nvml_answers::answer> answers;
  for (const json &call : *calls) {
    answers.push_back(parse_answer(call, where));
    answers.back().arguments = parse_arguments(call, where);
  }
  return answers;
}

nvml_answers parse_answers(const json &parent, const char *key, const std::string &where, int ret_if_absent) {
  nvml_answers::map answers;
  for (const auto &[name, entry] : object_or_empty(parent, key, where).items())
    answers.emplace(name, parse_calls(entry, fmt::format("{}{}.{}", where, key, name)));
  return nvml_answers(ret_if_absent, std::move(answers));
}

nvml_device parse_device(const json &entry, const std::string &where) {
  if (!entry.is_object())
    throw malformed(fmt::format("{} is not an object", where));
  nvml_device device{code_or_index(entry, "index", where),
                     parse_answers(entry, "functions", where + ".", ret_function_not_found),
                     parse_answers(entry, "fields", where + ".", ret_not_supported),
                     {},
                     {}};
  device.name = device.functions.text("nvmlDeviceGetName");
  device.bus_id = device.functions.values_text("nvmlDeviceGetPciInfo_v3", "busId");
  return device;
}

/// "12.550.54.15" is CUDA's major number, then the driver release that the library belongs to.
std::optional<nvml_version> release_in(const std::string &nvml_version_text) {
  const auto dot = nvml_version_text.find('.');
  if (dot == std::string::npos)
    return std::nullopt;
  auto release = driver_release::parse(std::string_view(nvml_version_text).substr(dot + 1));
  return release ? std::optional(nvml_version{*std::move(release)}) : std::nullopt;
}

std::optional<int> small_number(const nvml_answers &functions, const char *function) {
  const auto value = functions.value(function);
  return value && *value >= 0 && *value <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(*value))
                                                                           : std::nullopt;
}

nvml_record parse_document(const json &document) {
  if (!document.is_object())
    throw malformed("not a JSON object");
  const json *const schema = member_of(document, "schema");
  if (!schema || *schema != "gpucert-nvml-replay-1")
    throw malformed("schema is not gpucert-nvml-replay-1");

  nvml_record record{parse_answers(document, "functions", "", ret_function_not_found), {}, {}, {}, {}, {}, {}, {}, {}};
  const json &functions = object_or_empty(document, "functions", "");
  if (functions.contains("nvmlInit_v2") || functions.contains("nvmlInit"))
    record.init_return = record.functions.ret("nvmlInit_v2");
  record.driver_version = record.functions.text("nvmlSystemGetDriverVersion");
  record.nvml_version_text = record.functions.text("nvmlSystemGetNVMLVersion");
  if (record.nvml_version_text)
    record.library_version = release_in(*record.nvml_version_text);
  record.cuda_driver_version = small_number(record.functions, "nvmlSystemGetCudaDriverVersion_v2");
  record.device_count = small_number(record.functions, "nvmlDeviceGetCount_v2");

  if (const json *const devices = member_of(document, "devices")) {
    if (!devices->is_array())
      throw malformed("devices is not a list");
    for (std::size_t i = 0; i < devices->size(); ++i)
      record.devices.push_back(parse_device((*devices)[i], fmt::format("devices[{}]", i)));
  }
  if (const json *const library = member_of(document, "library"); library && library->is_object())
    if (const json *const path = member_of(*library, "path"); path && path->is_string())
      record.library_path = path->get<std::string>();
  return record;
}

} // namespace

nvml_parse_result parse_nvml_record(std::string_view text) {
  if (text.size() > size_limit_bytes)
    return {std::nullopt, fmt::format("longer than {} bytes", size_limit_bytes)};
  if (depth_of(text) > depth_limit)
    return {std::nullopt, fmt::format("nested deeper than {}", depth_limit)};
  try {
    return {parse_document(json::parse(text)), {}};
  } catch (const json::parse_error &error) {
    return {std::nullopt, fmt::format("not JSON: fault at byte {}", error.byte)};
  } catch (const json::exception &error) {
    return {std::nullopt, fmt::format("not JSON: {}", error.what())}; // a number beyond all range
  } catch (const malformed &error) {
    return {std::nullopt, error.what()};
  }
}

} // namespace gpucert
