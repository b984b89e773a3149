// SPDX-License-Identifier: Apache-2.0
#include "simulator/nvml/replay.h"

#include "simulator/node/nvml_replay.h"

#include <algorithm>

namespace gpucert::simulator {
namespace {

using nlohmann::json;

constexpr int most_devices = 16;

const json &recorded() {
  static const json replay = nvml_replay_of(simulation_of_process());
  return replay;
}

replay_answer answer_of(const json &recorded_answer) {
  return {static_cast<return_code>(recorded_answer.at("ret").get<unsigned>()), &recorded_answer};
}

bool has_arguments(const json &call, std::initializer_list<replay_argument> arguments) {
  const json &recorded_arguments = call.at("args");
  return std::all_of(arguments.begin(), arguments.end(), [&](const replay_argument &argument) {
    const auto found = recorded_arguments.find(argument.name);
    return found != recorded_arguments.end() && *found == argument.value;
  });
}

} // namespace

replay_answer find_answer(device gpu, const char *function, std::initializer_list<replay_argument> arguments) {
  const json &functions = gpu ? recorded().at("devices").at(static_cast<std::size_t>(gpu->index)).at("functions")
                              : recorded().at("functions");
  const auto found = functions.find(function);
  if (found == functions.end())
    return {};
  const auto calls = found->find("calls");
  if (calls == found->end())
    return answer_of(*found);
  for (const json &call : *calls)
    if (has_arguments(call, arguments))
      return answer_of(call);
  return {return_code::not_supported, nullptr};
}

replay_answer find_field(device gpu, const char *name) {
  const json &fields = recorded().at("devices").at(static_cast<std::size_t>(gpu->index)).at("fields");
  const auto found = fields.find(name);
  return found == fields.end() ? replay_answer{return_code::not_supported, nullptr} : answer_of(*found);
}

device device_at(unsigned index) {
  static nvml_abi::device_record records[most_devices];
  if (index >= most_devices || index >= recorded().at("devices").size())
    return nullptr;
  records[index].index = static_cast<int>(index);
  return &records[index];
}

return_code replay_text(device gpu, const char *function, char *buffer, unsigned length) {
  const replay_answer answer = find_answer(gpu, function);
  if (answer.ret != return_code::success)
    return answer.ret;
  const auto text = answer.content->at("value").get<std::string>();
  if (text.size() >= length)
    return return_code::insufficient_size;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return return_code::success;
}

} // namespace gpucert::simulator
