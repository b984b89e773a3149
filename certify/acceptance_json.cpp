// SPDX-License-Identifier: Apache-2.0
#include "certify/acceptance_json.h"

#include "certify/stack_json.h"

namespace gpucert {
namespace {

using json = nlohmann::ordered_json;

template <class Value> json optional_to_json(const std::optional<Value> &value) {
  return value ? json(*value) : json(nullptr);
}
template <class Value> std::optional<Value> optional_from_json(const json &value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Value>());
}

/// An enumerator by its word; `parse` returns an optional.
template <class Parse> auto word_from_json(const json &value, Parse parse) {
  const auto word = value.get<std::string>();
  if (const auto known = parse(word))
    return *known;
  throw unknown_word("word", word);
}

/// A run event, a case: harness writes them as lines, and the report holds the same objects.
json line_to_json(const std::string &line) { return json::parse(line); }

json process_to_json(const gpu_process &process) {
  return {{"run", process.run ? line_to_json(to_line(*process.run)) : json(nullptr)},
          {"end", process.end},
          {"was_hung", process.was_hung},
          {"errors", process.errors}};
}

json program_to_json(const program_record &program) {
  json cases = json::array(), processes = json::array();
  for (const case_end &end : program.cases)
    cases.push_back(line_to_json(to_line(end)));
  for (const gpu_process &process : program.processes)
    processes.push_back(process_to_json(process));
  return {{"program", program.program},
          {"expected", program.expected},
          {"problem", optional_to_json(program.problem)},
          {"processes", processes},
          {"cases", cases}};
}

/// Reads a program's lines back with the reader of lines: one form, one parser.
program_record program_from_json(const json &document) {
  program_record program;
  document.at("program").get_to(program.program);
  document.at("expected").get_to(program.expected);
  program.problem = optional_from_json<std::string>(document.at("problem"));
  std::string lines;
  for (const json &end : document.at("cases"))
    lines += end.dump() + "\n";
  program.cases = parse_case_lines(lines).ended;
  for (const json &process : document.at("processes")) {
    const json &run = process.at("run");
    program.processes.push_back({run.is_null() ? std::nullopt : parse_case_lines(run.dump() + "\n").run,
                                 process.at("end").get<std::string>(), process.at("was_hung").get<bool>(),
                                 process.at("errors").get<std::string>()});
  }
  return program;
}

json identity_to_json(const device_identity &identity) {
  return {{"name", identity.name},
          {"pci_bus_id", identity.pci_bus_id},
          {"compute_capability", identity.compute_capability},
          {"memory_bytes", identity.memory_bytes},
          {"l2_bytes", identity.l2_bytes},
          {"multiprocessors", identity.multiprocessors}};
}

device_identity identity_from_json(int index, const json &document) {
  return {index,
          document.at("name").get<std::string>(),
          document.at("pci_bus_id").get<std::string>(),
          document.at("compute_capability").get<std::string>(),
          document.at("memory_bytes").get<double>(),
          document.at("l2_bytes").get<double>(),
          document.at("multiprocessors").get<int>()};
}

json gpu_to_json(const gpu_record &gpu) {
  json programs = json::array();
  for (const program_record &program : gpu.programs)
    programs.push_back(program_to_json(program));
  return {{"index", gpu.index},
          {"identity", gpu.identity ? identity_to_json(*gpu.identity) : json(nullptr)},
          {"programs", programs}};
}

json verdict_to_json(const verdict &drawn) { return {{"word", name_of(drawn.word)}, {"reasons", drawn.reasons}}; }

verdict verdict_from_json(const json &document) {
  return {word_from_json(document.at("word"), parse_verdict_word),
          document.at("reasons").get<std::vector<std::string>>()};
}

} // namespace

json acceptance_to_json(const acceptance_record &record) {
  json stages = json::array(), gpus = json::array();
  for (const stage_record &stage : record.stages)
    stages.push_back(
        {{"name", stage.name}, {"state", name_of(stage.state)}, {"seconds", stage.seconds}, {"note", stage.note}});
  for (const gpu_record &gpu : record.gpus)
    gpus.push_back(gpu_to_json(gpu));
  return {{"level", name_of(record.level)},
          {"scale", record.scale},
          {"simulation", record.simulation},
          {"passed_environment", record.passed_environment},
          {"judged_drivers", record.judged_drivers},
          {"build_cuda_version", record.build_cuda_version},
          {"is_forced", record.is_forced},
          {"foreign_processes", record.foreign_processes},
          {"expected_gpus", optional_to_json(record.expected_gpus)},
          {"stages", stages},
          {"gpus", gpus}};
}

acceptance_record acceptance_from_json(const json &document) {
  acceptance_record record;
  record.level = word_from_json(document.at("level"), parse_run_level);
  document.at("scale").get_to(record.scale);
  document.at("simulation").get_to(record.simulation);
  document.at("passed_environment").get_to(record.passed_environment);
  document.at("judged_drivers").get_to(record.judged_drivers);
  document.at("build_cuda_version").get_to(record.build_cuda_version);
  document.at("is_forced").get_to(record.is_forced);
  document.at("foreign_processes").get_to(record.foreign_processes);
  record.expected_gpus = optional_from_json<int>(document.at("expected_gpus"));
  for (const json &stage : document.at("stages"))
    record.stages.push_back({stage.at("name").get<std::string>(), word_from_json(stage.at("state"), parse_stage_state),
                             stage.at("seconds").get<double>(), stage.at("note").get<std::string>()});
  for (const json &gpu : document.at("gpus")) {
    gpu_record one;
    gpu.at("index").get_to(one.index);
    if (!gpu.at("identity").is_null())
      one.identity = identity_from_json(one.index, gpu.at("identity"));
    for (const json &program : gpu.at("programs"))
      one.programs.push_back(program_from_json(program));
    record.gpus.push_back(std::move(one));
  }
  return record;
}

json verdicts_to_json(const verdicts &drawn) {
  json gpus = json::array();
  for (const gpu_verdict &gpu : drawn.gpus) {
    json one = verdict_to_json(gpu.fit);
    one["index"] = gpu.index;
    gpus.push_back(std::move(one));
  }
  return {{"return_to_service", verdict_to_json(drawn.return_to_service)},
          {"certifiable", verdict_to_json(drawn.certifiable)},
          {"gpus", gpus}};
}

verdicts verdicts_from_json(const json &document) {
  verdicts drawn;
  drawn.return_to_service = verdict_from_json(document.at("return_to_service"));
  drawn.certifiable = verdict_from_json(document.at("certifiable"));
  for (const json &gpu : document.at("gpus"))
    drawn.gpus.push_back({gpu.at("index").get<int>(), verdict_from_json(gpu)});
  return drawn;
}

} // namespace gpucert
