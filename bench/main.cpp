// SPDX-License-Identifier: Apache-2.0
// gpucert-bench: how fast is this GPU at what inference does? Google Benchmark runs the cases, each in one iteration in
// which the sampler takes its own samples: left to itself it would choose iterations by the manual time alone.
#include "bench/bench_case.h"
#include "harness/clock.h"
#include "harness/device.h"
#include "harness/device_run.h"
#include "kernels/cuda_error.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace gpucert {
namespace {

constexpr std::string_view program = "gpucert-bench";

/// Counts what happened, and knows whether to go on.
struct bench_progress {
  std::size_t ended = 0;
  std::size_t bad = 0;
  bool is_device_lost = false;
};

case_end run_case(const bench_case &wanted) {
  case_end end;
  const announced_case announced(wanted.id);
  const auto start = std::chrono::steady_clock::now();
  try {
    end = wanted.run();
  } catch (const cuda_error &error) {
    end.reason = error.what();
    end.cuda_error = error.code();
  } catch (const std::exception &error) { // cuBLAS, no host memory
    end.reason = error.what();
  }
  end.name = wanted.id;
  end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return end;
}

void say(const case_end &end) {
  fmt::print("{} {}{}{}\n", end.name, name_of(end.outcome), end.reason.empty() ? "" : ": ", end.reason);
  for (const metric &measured : end.metrics)
    fmt::print("  {} = {:.4g} (median of {})\n", measured.name, measured.value, measured.samples.size());
  std::fflush(stdout);
}

void take_case(const bench_case &wanted, case_writer &lines, bench_progress &progress, benchmark::State &state) {
  for (auto _ : state) {
    if (progress.is_device_lost) { // every call would fail for what one case did
      state.SetIterationTime(0);
      continue;
    }
    lines.write(start_line(wanted.id));
    case_end end = run_case(wanted);
    if (const auto leftover = take_leftover_error()) {
      end.outcome = case_outcome::error;
      end.reason += (end.reason.empty() ? "" : "; ") + leftover->failure.reason;
      end.cuda_error = end.cuda_error.value_or(leftover->failure.code);
      progress.is_device_lost = leftover->is_sticky;
    }
    lines.write(to_line(end));
    say(end);
    ++progress.ended;
    progress.bad += end.outcome == case_outcome::fail || end.outcome == case_outcome::error;
    state.SetIterationTime(end.seconds);
  }
}

/// The cases say for themselves what they found; Google Benchmark's table would show one time of all samples.
class silent_reporter : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &) override {}
};

program_exit run_cases(const std::vector<bench_case> &chosen, case_writer &lines) {
  bench_progress progress;
  for (const bench_case &one : chosen)
    benchmark::RegisterBenchmark(one.id.c_str(),
                                 [&](benchmark::State &state) { take_case(one, lines, progress, state); })
        ->Iterations(1)
        ->UseManualTime();
  silent_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, ".");
  if (progress.is_device_lost)
    return program_exit::failed; // without "done": the rest has not run
  if (progress.ended != chosen.size())
    throw std::runtime_error(fmt::format("{} of {} cases ran", progress.ended, chosen.size()));
  lines.write(done_line());
  return progress.bad == 0 ? program_exit::passed : program_exit::failed;
}

std::vector<bench_case> choose_cases(const case_selection &selection) {
  std::vector<bench_case> chosen;
  for (const bench_case &one : registered_bench_cases())
    if (selection.selects(one.id, one.level))
      chosen.push_back(one);
  return chosen;
}

program_exit run(const std::vector<std::string> &words) {
  CLI::App app{"Measures the speed of one GPU at what inference does, and verifies every result.\n"
               "Exits 0 when all was measured, 2 when a result was wrong or a case could not be carried out,\n"
               "3 when nothing or not everything ran, 64 on wrong usage.",
               std::string(program)};
  const auto options = parse_program_options(app, words);
  if (!options)
    return program_exit::passed;
  const auto chosen = choose_cases(options->selection);
#ifndef NDEBUG
  if (!options->lists_only && options->settings.scale == run_scale::full)
    throw wrong_usage("this is a debug build, whose times mean nothing; only --scale tiny can be run");
#endif
  std::vector<std::string> ids;
  for (const bench_case &one : chosen)
    ids.push_back(one.id);
  return run_on_device(
      {program, "bench.device", std::move(ids), [&chosen](case_writer &lines) { return run_cases(chosen, lines); }},
      *options);
}

} // namespace
} // namespace gpucert

int main(int argument_count, char **arguments) {
  return gpucert::run_program(gpucert::program, [&] {
    return gpucert::run({arguments + 1, arguments + argument_count});
  });
}
