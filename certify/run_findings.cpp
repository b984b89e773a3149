// SPDX-License-Identifier: Apache-2.0
#include "certify/run_findings.h"

#include "certify/reference_peaks.h"

#include <algorithm>
#include <array>
#include <map>

namespace gpucert {
namespace {

// A finding names the first cases; all are in the report.
constexpr std::size_t most_evidence = 5;

struct error_finding {
  int code; // of cudaError_t, driver_types.h
  std::string_view id;
};

// What an error code of a fresh process means. Codes that are not here say only that a call failed.
constexpr std::array<error_finding, 10> error_findings{{
    {34, "userspace.stub-library"},
    {35, "userspace.driver-too-old-for-runtime"},
    {38, "userspace.cuda-no-device"}, // cudaErrorNoDevice before CUDA 10.1
    {100, "userspace.cuda-no-device"},
    {30, "userspace.cuda-unknown-error"}, // cudaErrorUnknown before CUDA 10.1
    {999, "userspace.cuda-unknown-error"},
    {214, "hw.ecc-uncorrected"}, // cudaErrorECCUncorrectable
    {802, "fabric.manager-not-running"},
    {803, "userspace.version-mismatch"},
    {804, "userspace.cuda-compat-unsupported"},
}};

std::string_view id_of_error(int code) {
  const auto known = std::find_if(error_findings.begin(), error_findings.end(),
                                  [&](const error_finding &one) { return one.code == code; });
  return known == error_findings.end() ? "cuda.call-failed" : known->id;
}

bool is_hang(const case_end &end) { return end.reason.starts_with("hung"); }
bool is_crash(const case_end &end) { return end.reason.starts_with("crashed"); }

/// The driver's version is that of libcuda: 0 or not to be had where none could be loaded.
bool has_no_libcuda(const program_record &program) {
  return std::any_of(program.processes.begin(), program.processes.end(), [](const gpu_process &process) {
    return process.run && process.run->cuda_driver_version.value_or(0) == 0;
  });
}

/// The finding that one bad case stands for.
std::string_view id_of_case(const program_record &program, const case_end &end) {
  if (is_hang(end))
    return program.program == "ready" ? "cuda.context-hang" : "cuda.test-hung";
  if (is_crash(end))
    return "cuda.test-crashed";
  if (end.cuda_error == 35 && has_no_libcuda(program))
    return "userspace.library-missing"; // the runtime gives the same error for "too old" and for "not there"
  if (end.cuda_error)
    return id_of_error(*end.cuda_error);
  return end.outcome == case_outcome::fail ? "cuda.wrong-result" : "cuda.call-failed";
}

void judge_cases(int gpu, const program_record &program, std::vector<finding> &found) {
  std::map<std::string_view, std::vector<const case_end *>> by_id;
  for (const case_end &end : program.cases)
    if (end.outcome == case_outcome::fail || end.outcome == case_outcome::error)
      by_id[id_of_case(program, end)].push_back(&end);
  for (const auto &[id, ends] : by_id) {
    finding &one = found.emplace_back(id);
    one.saw("GPU {}: {} of {} cases of {}, first {}: {}", gpu, ends.size(), program.cases.size(), program.program,
            ends.front()->name, ends.front()->reason);
    one.expected("every case passes");
    for (std::size_t index = 0; index < std::min(ends.size(), most_evidence); ++index)
      one.read_from(ends[index]->name, ends[index]->reason);
  }
}

/// A program that could not even begin.
void judge_start(int gpu, const program_record &program, std::vector<finding> &found) {
  if (!program.problem || program.processes.empty())
    return; // a program that could not be started says nothing of the GPU: the verdict is INCOMPLETE
  const bool hung = !program.processes.empty() && program.processes.back().was_hung;
  finding &one = found.emplace_back(hung ? "cuda.context-hang" : "cuda.test-crashed");
  one.saw("GPU {}: {}: {}", gpu, program.program, *program.problem).expected("a program that reports its cases");
  one.read_from(program.program, *program.problem);
}

void judge_metrics(const gpu_record &gpu, const program_record &program, std::vector<finding> &found) {
  if (!gpu.identity)
    return;
  std::vector<evidence_item> slow;
  for (const case_end &end : program.cases)
    for (const metric &one : end.metrics) {
      const auto wire = find_tripwire(gpu.identity->name, one.peak_kind);
      if (wire && one.is_higher_better && one.value < wire->limit())
        slow.push_back({one.name, fmt::format("{:.4g} {}, limit {:.4g} ({:.0f} % of {:.4g}: {})", one.value, one.unit,
                                              wire->limit(), 100 * wire->share, wire->peak, wire->source)});
    }
  if (slow.empty())
    return;
  finding &one = found.emplace_back("performance.below-tripwire");
  one.saw("GPU {}: {} metrics, first {}: {}", gpu.index, slow.size(), slow.front().source, slow.front().text);
  one.expected("more than the share of the datasheet's peak that every healthy GPU reaches");
  for (std::size_t index = 0; index < std::min(slow.size(), most_evidence); ++index)
    one.read_from(slow[index].source, slow[index].text);
}

} // namespace

std::vector<finding> judge_runs(const acceptance_record &record) {
  std::vector<finding> found;
  for (const gpu_record &gpu : record.gpus)
    for (const program_record &program : gpu.programs) {
      judge_cases(gpu.index, program, found);
      judge_start(gpu.index, program, found);
      judge_metrics(gpu, program, found);
    }
  if (!record.foreign_processes.empty()) {
    finding &one = found.emplace_back("host.foreign-gpu-processes");
    one.saw("{} processes use the GPUs", record.foreign_processes.size()).expected("none before a measurement");
    for (const std::string &process : record.foreign_processes)
      one.read_from("NVML", process);
  }
  return found;
}

} // namespace gpucert
