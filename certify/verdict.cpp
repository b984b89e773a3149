// SPDX-License-Identifier: Apache-2.0
#include "certify/verdict.h"

#include "certify/word_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gpucert {
namespace {

constexpr word_table<verdict_word, 6> verdict_words{{{verdict_word::pass, "PASS"},
                                                     {verdict_word::warn, "WARN"},
                                                     {verdict_word::fail, "FAIL"},
                                                     {verdict_word::inconclusive, "INCONCLUSIVE"},
                                                     {verdict_word::incomplete, "INCOMPLETE"},
                                                     {verdict_word::invalid, "INVALID"}}};

// A report names the first of many like reasons; the rest is in the cases.
constexpr std::size_t most_cases_named = 3;

std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t index = 0; index < std::min(names.size(), most_cases_named); ++index)
    text += (index == 0 ? "" : ", ") + names[index];
  return names.size() <= most_cases_named ? text : fmt::format("{} and {} more", text, names.size() - most_cases_named);
}

bool is_bad(const case_end &end) { return end.outcome == case_outcome::fail || end.outcome == case_outcome::error; }

/// What did not run on this GPU, program by program.
std::vector<std::string> gaps_of(const gpu_record &gpu) {
  std::vector<std::string> gaps;
  for (const program_record &program : gpu.programs) {
    if (program.problem)
      gaps.push_back(fmt::format("GPU {}: {}: {}", gpu.index, program.program, *program.problem));
    else if (const auto missing = program.missing(); !missing.empty())
      gaps.push_back(fmt::format("GPU {}: {}: {} cases did not run: {}", gpu.index, program.program, missing.size(),
                                 join(missing)));
    else if (std::none_of(program.cases.begin(), program.cases.end(),
                          [](const case_end &end) { return end.outcome != case_outcome::skip; }))
      gaps.push_back(fmt::format("GPU {}: {}: no case ran", gpu.index, program.program));
  }
  return gaps;
}

verdict judge_gpu(const gpu_record &gpu) {
  verdict result;
  std::vector<std::string> bad;
  for (const program_record &program : gpu.programs)
    for (const case_end &end : program.cases)
      if (is_bad(end))
        bad.push_back(end.name);
  if (!bad.empty()) {
    result.word = verdict_word::fail;
    result.reasons.push_back(fmt::format("GPU {}: {}", gpu.index, join(bad)));
    return result;
  }
  result.reasons = gaps_of(gpu);
  result.word = result.reasons.empty() && !gpu.programs.empty() ? verdict_word::pass : verdict_word::incomplete;
  return result;
}

/// Guards: when one fails, what ran says nothing about this node.
std::vector<std::string> broken_guards(const acceptance_record &record) {
  std::vector<std::string> broken;
  const std::vector<run_event> events = run_events(record);
  if (!record.simulation.empty() &&
      std::any_of(events.begin(), events.end(), [](const run_event &event) { return !event.is_simulated; }))
    broken.emplace_back("--simulate was asked for, but a program ran on libraries that are not the simulator's");
  if (record.simulation.empty() && is_simulated(record))
    broken.emplace_back(
        "a program ran on the simulator's libraries without --simulate: the result is not of this node");
  if (!record.foreign_processes.empty() && !record.is_forced)
    broken.push_back(
        fmt::format("other processes use the GPUs: {}; stop them, or use --force", join(record.foreign_processes)));
  return broken;
}

std::vector<std::string> unfinished_stages(const acceptance_record &record) {
  std::vector<std::string> reasons;
  for (const stage_record &stage : record.stages)
    if (stage.state != stage_state::done)
      reasons.push_back(fmt::format("stage {} is {}{}", stage.name, name_of(stage.state),
                                    stage.note.empty() ? "" : ": " + stage.note));
  return reasons;
}

void append(std::vector<std::string> &to, const std::vector<std::string> &more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The driver is older than the toolkit of this build needs: a limit of the build, not a fault of the node.
bool is_driver_too_old_for_build(const acceptance_record &record) {
  for (const run_event &event : run_events(record))
    if (event.cuda_driver_version && *event.cuda_driver_version > 0 &&
        *event.cuda_driver_version / 1000 < record.build_cuda_version / 1000)
      return true;
  return false;
}

bool has_failed(const stack_report &stack) {
  return std::any_of(stack.findings.begin(), stack.findings.end(), [](const reported_finding &found) {
    return !found.is_explained && found.level == severity::fail;
  });
}

verdict judge_return_to_service(const acceptance_record &record, const stack_report &stack,
                                const std::vector<gpu_verdict> &gpus) {
  verdict result;
  result.reasons = broken_guards(record);
  if (!result.reasons.empty()) {
    result.word = verdict_word::invalid;
    return result;
  }
  if (stack.is_no_gpu_node && !record.expected_gpus) {
    result.word = verdict_word::incomplete;
    result.reasons.emplace_back("not a GPU node: no NVIDIA GPU on PCI, and no NVIDIA driver");
    return result;
  }
  const int tested = static_cast<int>(gpus.size());
  const bool are_gpus_missing = !gpus.empty() && record.expected_gpus.value_or(0) > tested;
  if (is_driver_too_old_for_build(record) &&
      stack.diagnosis.root_cause.value_or("") == "userspace.driver-too-old-for-runtime") {
    result.word = verdict_word::incomplete;
    result.reasons.push_back(fmt::format("this build cannot judge the node's driver: it judges drivers of branch {}",
                                         record.judged_drivers));
    return result;
  }
  const bool any_gpu_fails =
      std::any_of(gpus.begin(), gpus.end(), [](const gpu_verdict &gpu) { return gpu.fit.word == verdict_word::fail; });
  if (has_failed(stack) || any_gpu_fails || are_gpus_missing) {
    result.word = verdict_word::fail;
    if (are_gpus_missing)
      result.reasons.push_back(fmt::format("{} GPUs were tested, {} are expected", tested, *record.expected_gpus));
    for (const reported_finding &found : stack.findings)
      if (!found.is_explained && found.level == severity::fail)
        result.reasons.push_back(fmt::format("{}: {}", found.id, found.saw));
    for (const gpu_verdict &gpu : gpus)
      if (gpu.fit.word == verdict_word::fail)
        append(result.reasons, gpu.fit.reasons);
    return result;
  }
  result.reasons = unfinished_stages(record);
  for (const gpu_verdict &gpu : gpus)
    append(result.reasons, gpu.fit.reasons);
  if (stack.status == stack_status::unknown)
    result.reasons.push_back(stack.summary);
  if (gpus.empty())
    result.reasons.emplace_back("no GPU was tested");
  if (!result.reasons.empty()) {
    result.word = verdict_word::incomplete;
    return result;
  }
  result.word = stack.status == stack_status::warn ? verdict_word::warn : verdict_word::pass;
  if (result.word == verdict_word::warn)
    result.reasons.push_back(stack.summary);
  return result;
}

/// libcuda belongs to the driver when it is the file that the loader finds by itself on this node.
void judge_libraries(const acceptance_record &record, const std::optional<std::string> &libcuda_of_driver,
                     std::vector<std::string> &reasons) {
  std::set<std::string> foreign;
  if (record.simulation.empty())
    for (const run_event &event : run_events(record))
      for (const loaded_library &library : event.libraries)
        if (library.name == "libcuda" && libcuda_of_driver && library.path != *libcuda_of_driver)
          foreign.insert(library.path);
  for (const std::string &path : foreign)
    reasons.push_back(fmt::format("{} was loaded, the driver of this node has {}", path, *libcuda_of_driver));
  if (!record.passed_environment.empty())
    reasons.push_back("variables were passed to the tests: " + join(record.passed_environment));
}

verdict judge_certifiable(const acceptance_record &record, const verdict &service,
                          const std::optional<std::string> &libcuda_of_driver) {
  verdict result;
  if (service.word != verdict_word::pass && service.word != verdict_word::warn) {
    result.word = service.word;
    result.reasons = {"the node does not return to service"};
    return result;
  }
  judge_libraries(record, libcuda_of_driver, result.reasons);
  if (record.level == run_level::quick)
    result.reasons.emplace_back("level quick: a certificate needs standard or extended");
  if (record.scale != "full" && !is_simulated(record))
    result.reasons.push_back("scale " + record.scale + ": shapes are not those of a measurement");
  if (!record.foreign_processes.empty())
    result.reasons.emplace_back("it ran beside foreign processes (--force)");
  if (!result.reasons.empty()) {
    result.word = verdict_word::invalid;
    return result;
  }
  result.word = verdict_word::inconclusive;
  result.reasons = {
      "unbaselined: performance was compared with datasheet tripwires only, which pass a node that lost a "
      "third of its speed; a baseline of this node or of its like would decide"};
  return result;
}

} // namespace

std::string_view name_of(verdict_word word) { return word_of(verdict_words, word); }
std::optional<verdict_word> parse_verdict_word(std::string_view word) { return value_of(verdict_words, word); }

verdicts judge_acceptance(const acceptance_record &record, const stack_report &stack,
                          const std::optional<std::string> &libcuda_of_driver) {
  verdicts result;
  for (const gpu_record &gpu : record.gpus)
    result.gpus.push_back({gpu.index, judge_gpu(gpu)});
  result.return_to_service = judge_return_to_service(record, stack, result.gpus);
  result.certifiable = judge_certifiable(record, result.return_to_service, libcuda_of_driver);
  return result;
}

} // namespace gpucert
