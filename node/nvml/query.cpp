// SPDX-License-Identifier: Apache-2.0
#include "node/nvml/query.h"

#include "node/nvml/answer_forms.h"

#include <algorithm>

namespace gpucert {
namespace nvml_forms {

ordered_json merge_calls(std::vector<ordered_json> calls) {
  const auto refused_like_first = [&](const ordered_json &call) {
    return call["ret"] != 0 && call["ret"] == calls.front()["ret"];
  };
  if (!calls.empty() && std::all_of(calls.begin(), calls.end(), refused_like_first))
    return {{"ret", calls.front()["ret"]}};
  return {{"calls", std::move(calls)}};
}

std::vector<std::vector<unsigned>> combinations(const std::vector<argument> &arguments) {
  std::vector<std::vector<unsigned>> all{{}};
  for (const argument &next : arguments) {
    std::vector<std::vector<unsigned>> longer;
    for (const std::vector<unsigned> &begun : all)
      for (const unsigned number : next.numbers) {
        longer.push_back(begun);
        longer.back().push_back(number);
      }
    all = std::move(longer);
  }
  return all;
}

} // namespace nvml_forms

namespace {

using nvml_abi::return_code;

void ask_all(const nvml_queries &queries, const nvml_scope &scope, ordered_json &functions) {
  for (const nvml_query &query : queries)
    query(scope, functions);
}

ordered_json read_device(const nvml_library &library, unsigned index) {
  ordered_json functions = ordered_json::object();
  ordered_json fields = ordered_json::object();
  if (const auto handle_by_index = library.find(nvml_abi::device_handle_by_index)) {
    nvml_abi::device device = nullptr;
    const return_code ret = handle_by_index->call(index, &device);
    functions[handle_by_index->name] = nvml_forms::answer_of(ret);
    if (ret == return_code::success) {
      const nvml_scope scope{library, device, index};
      for (const auto &topic :
           {nvml_identity_queries, nvml_memory_queries, nvml_link_queries, nvml_clock_queries, nvml_mode_queries})
        ask_all(topic(), scope, functions);
      fields = read_nvml_fields(scope);
    }
  }
  return {{"index", index}, {"functions", std::move(functions)}, {"fields", std::move(fields)}};
}

ordered_json document(ordered_json functions, ordered_json devices, ordered_json library) {
  return {{"schema", "gpucert-nvml-replay-1"},
          {"functions", std::move(functions)},
          {"devices", std::move(devices)},
          {"library", std::move(library)}};
}

} // namespace

ordered_json read_nvml(const nvml_library &library) {
  ordered_json functions = ordered_json::object();
  ordered_json devices = ordered_json::array();
  const nvml_scope system{library};

  return_code initialised = return_code::function_not_found;
  if (const auto init = library.find(nvml_abi::init)) {
    initialised = init->call();
    functions[init->name] = nvml_forms::answer_of(initialised);
  }
  ask_all(nvml_version_queries(), system, functions);

  if (initialised == return_code::success) {
    ask_all(nvml_system_queries(), system, functions);
    unsigned count = 0;
    if (const auto device_count = library.find(nvml_abi::device_count)) {
      const return_code ret = device_count->call(&count);
      functions[device_count->name] = nvml_forms::answer_of(ret);
      if (ret == return_code::success)
        functions[device_count->name]["value"] = count;
      else
        count = 0;
    }
    for (unsigned index = 0; index < count; ++index)
      devices.push_back(read_device(library, index));
  }

  const auto path = library.path();
  return document(std::move(functions), std::move(devices), {{"path", path ? ordered_json(*path) : ordered_json()}});
}

ordered_json nvml_without_library() {
  return document({{"nvmlInit_v2", nvml_forms::answer_of(return_code::library_not_found)}}, ordered_json::array(),
                  nullptr);
}

} // namespace gpucert
