// SPDX-License-Identifier: Apache-2.0
#include "certify/gpu_programs.h"

#include "certify/command_line.h"
#include "node/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>

namespace gpucert {
namespace {

constexpr std::string_view ready_prefix = "ready.gpu_";

/// The number of ready.gpu_N; nothing for another case.
std::optional<int> gpu_of_case(std::string_view name) {
  if (!name.starts_with(ready_prefix))
    return std::nullopt;
  name.remove_prefix(ready_prefix.size());
  int index = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc{} && stop == name.data() + name.size() ? std::optional(index) : std::nullopt;
}

} // namespace

std::filesystem::path gpu_program_path(const std::string &name) {
  return std::filesystem::path(nvml_program_path()).parent_path() / ("gpucert-" + name);
}

std::vector<std::string> base_environment() {
  std::vector<std::string> variables{fmt::format("PATH={}", command_path), "LC_ALL=C.UTF-8",
                                     "CUDA_DEVICE_ORDER=PCI_BUS_ID"}; // numbers as nvidia-smi counts
  if (const char *home = std::getenv("HOME"))                         // the driver keeps its compiled PTX there
    variables.push_back(fmt::format("HOME={}", home));
  return variables;
}

std::string summarize(const program_record &program) {
  if (program.problem)
    return *program.problem;
  std::map<std::string_view, int> counts;
  for (const case_end &end : program.cases)
    ++counts[name_of(end.outcome)];
  std::string text = fmt::format("{} cases", program.cases.size());
  for (const auto &[word, count] : counts)
    text += fmt::format(", {} {}", count, word);
  if (const auto missing = program.missing(); !missing.empty())
    text += fmt::format(", {} did not run", missing.size());
  return text;
}

std::vector<gpu_record> split_by_gpu(const program_record &ready) {
  std::map<int, gpu_record> gpus;
  const auto of_gpu = [&](int index) -> program_record & {
    gpu_record &gpu = gpus[index];
    gpu.index = index;
    if (gpu.programs.empty())
      gpu.programs.push_back({ready.program, {}, {}, ready.processes, ready.problem});
    return gpu.programs.front();
  };
  for (const std::string &id : ready.expected)
    of_gpu(gpu_of_case(id).value_or(0)).expected.push_back(id);
  for (const case_end &end : ready.cases)
    of_gpu(gpu_of_case(end.name).value_or(0)).cases.push_back(end);
  if (gpus.empty())
    of_gpu(0);
  std::vector<gpu_record> result;
  for (auto &[index, gpu] : gpus)
    result.push_back(std::move(gpu));
  return result;
}

bool is_ready(const gpu_record &gpu) {
  return !gpu.programs.empty() && !gpu.programs.front().cases.empty() &&
         std::all_of(gpu.programs.front().cases.begin(), gpu.programs.front().cases.end(),
                     [](const case_end &end) { return end.outcome == case_outcome::pass; });
}

std::vector<std::string> find_gpu_processes(const node_evidence &evidence) {
  std::vector<std::string> found;
  if (!evidence.nvml.is_known())
    return found;
  for (const nvml_device &device : evidence.nvml->devices)
    if (const auto count = device.functions.value("nvmlDeviceGetComputeRunningProcesses_v3"); count.value_or(0) > 0)
      found.push_back(fmt::format("GPU {}: {} compute processes", device.index, *count));
  return found;
}

} // namespace gpucert
