// SPDX-License-Identifier: Apache-2.0
#include "certify/acceptance_view.h"

#include "certify/gpu_programs.h"
#include "certify/reference_peaks.h"

#include <algorithm>

namespace gpucert {
namespace {

// A person reads the worst metrics; JSON has all.
constexpr std::size_t most_metrics = 12;

void write_verdict(text_page &out, std::string_view name, const verdict &drawn) {
  out.line(0, fmt::format("{:<18} {}", name, name_of(drawn.word)));
  for (const std::string &reason : drawn.reasons)
    out.line(2, reason);
}

void write_program(text_page &out, const program_record &program) {
  out.line(2, fmt::format("{:<12} {}", program.program, summarize(program)));
  for (const case_end &end : program.cases)
    if (end.outcome == case_outcome::fail || end.outcome == case_outcome::error)
      out.line(4, fmt::format("{} {}: {}", name_of(end.outcome), end.name, end.reason));
}

/// A measured metric beside what the GPU can reach.
struct rated_metric {
  const metric *measured;
  double share; // of the datasheet's peak
};

void write_metrics(text_page &out, const gpu_record &gpu) {
  std::vector<rated_metric> rated;
  for (const program_record &program : gpu.programs)
    for (const case_end &end : program.cases)
      for (const metric &one : end.metrics)
        if (const auto wire = gpu.identity ? find_tripwire(gpu.identity->name, one.peak_kind) : std::nullopt)
          rated.push_back({&one, one.value / wire->peak});
  std::sort(rated.begin(), rated.end(), [](const auto &a, const auto &b) { return a.share < b.share; });
  for (std::size_t index = 0; index < std::min(rated.size(), most_metrics); ++index)
    out.line(4, fmt::format("{:<48} {:>10.4g} {:<8} {:3.0f} % of peak", rated[index].measured->name,
                            rated[index].measured->value, rated[index].measured->unit, 100 * rated[index].share));
}

void write_skips(text_page &out, const acceptance_record &record) {
  bool has_heading = false;
  for (const gpu_record &gpu : record.gpus)
    for (const program_record &program : gpu.programs)
      for (const case_end &end : program.cases)
        if (end.outcome == case_outcome::skip) {
          if (!has_heading)
            out.heading("Not covered");
          has_heading = true;
          out.line(2, fmt::format("GPU {}: {}: {}", gpu.index, end.name, end.reason));
        }
}

} // namespace

void write_acceptance(text_page &out, const acceptance_record &record, const verdicts &drawn) {
  if (is_simulated(record))
    out.line(0, fmt::format("SIMULATED ({}): this says nothing about a real GPU",
                            record.simulation.empty() ? "without --simulate" : record.simulation));
  write_verdict(out, "return to service", drawn.return_to_service);
  write_verdict(out, "certifiable", drawn.certifiable);
  const auto fit = std::count_if(drawn.gpus.begin(), drawn.gpus.end(), [](const gpu_verdict &gpu) {
    return gpu.fit.word == verdict_word::pass || gpu.fit.word == verdict_word::warn;
  });
  out.line(0, fmt::format("{} of {} GPUs fit; level {}, scale {}; this build judges drivers of branch {}", fit,
                          drawn.gpus.size(), name_of(record.level), record.scale, record.judged_drivers));
  for (const gpu_record &gpu : record.gpus) {
    out.heading(fmt::format("GPU {}: {}", gpu.index, gpu.identity ? gpu.identity->name : "not identified"));
    for (const program_record &program : gpu.programs)
      write_program(out, program);
    write_metrics(out, gpu);
  }
  write_skips(out, record);
  out.heading("");
}

} // namespace gpucert
