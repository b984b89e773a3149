// SPDX-License-Identifier: Apache-2.0
#include "certify/acceptance.h"

#include "certify/build_limits.h"
#include "certify/command_line.h"
#include "certify/gpu_programs.h"
#include "certify/progress.h"
#include "certify/run_findings.h"
#include "node/evidence.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

/// One run. Each stage changes the record and stores the report, so that a power cut loses at most one stage.
class acceptance {
public:
  explicit acceptance(const acceptance_options &options) : options_(options) {
    for (const std::string &name : options.passed_environment)
      if (std::getenv(name.c_str()) == nullptr)
        throw wrong_input(fmt::format("--pass-environment {}: is not set", name), "set it, or leave the option out");
    if (!options.simulation.empty())
      require_known_simulation(options.simulation);
    prepare_output();
    run_ = make_report(options.simulation.empty() ? "this machine" : "simulated node " + options.simulation,
                       options.is_strict, {});
    run_.acceptance = first_record();
    if (!options.simulation.empty())
      simulated_ = prepare_simulation(options.simulation, options.output / "simulated-node");
  }

  report run() {
    if (options_.only_ready)
      return run_ready_only();
    run_stage("stack", [this] { return examine_stack(); });
    run_stage("ready", [this] { return test_ready(); });
    run_stage("conformance", [this] { return test_gpus("conformance"); });
    run_stage("bench", [this] { return test_gpus("bench"); });
    return run_;
  }

private:
  acceptance_record &record() { return *run_.acceptance; }

  /// The readiness probe. Why a GPU is not ready is asked only then: a probe runs often.
  report run_ready_only() {
    record().stages = {{"ready", stage_state::pending, 0, ""}};
    run_stage("ready", [this] { return test_ready(); });
    if (!std::all_of(record().gpus.begin(), record().gpus.end(), is_ready))
      examine_stack();
    return run_;
  }

  void prepare_output() {
    std::error_code error;
    if (!options_.only_ready && std::filesystem::exists(options_.output, error) &&
        !std::filesystem::is_empty(options_.output, error))
      throw wrong_input(fmt::format("--output {}: exists and is not an empty folder", options_.output.string()),
                        "name a new one: no report is overwritten");
    std::filesystem::create_directories(options_.output / "cases", error);
    if (error)
      throw unreadable_input(fmt::format("{}: {}", options_.output.string(), error.message()),
                             "name a folder that can be written with --output");
  }

  acceptance_record first_record() const {
    acceptance_record record;
    record.level = options_.level;
    record.scale = options_.scale;
    record.simulation = options_.simulation;
    record.passed_environment = options_.passed_environment;
    record.judged_drivers = judged_drivers();
    record.build_cuda_version = build_cuda_version;
    record.is_forced = options_.is_forced;
    record.expected_gpus = options_.expected_gpus;
    for (const char *name : {"stack", "ready", "conformance", "bench"})
      record.stages.push_back({name, stage_state::pending, 0, ""});
    return record;
  }

  /// `work` returns why the stage was left out, or an empty text when it was done.
  template <class Work> void run_stage(std::string_view name, Work work) {
    const auto stage = std::find_if(record().stages.begin(), record().stages.end(),
                                    [&](const stage_record &one) { return one.name == name; });
    stage->state = stage_state::running;
    conclude();
    const auto start = clock::now();
    stage->note = work();
    stage->state = stage->note.empty() ? stage_state::done : stage_state::left_out;
    stage->seconds = std::chrono::duration<double>(clock::now() - start).count();
    conclude();
  }

  /// Judges what is known so far and stores it.
  void conclude() {
    if (has_evidence_)
      run_.stack = judge_stack(evidence_, {options_.expected_gpus}, catalogue::built_in(), judge_runs(record()));
    run_.verdicts = judge_acceptance(record(), run_.stack, libcuda_of_driver());
    write_report(options_.output / "report.json", run_);
  }

  std::optional<std::string> libcuda_of_driver() const {
    if (evidence_.libraries.is_known())
      for (const driver_library &library : *evidence_.libraries)
        if (library.soname == "libcuda.so.1" && !library.is_32_bit && !library.is_compat_copy())
          return library.resolved_path;
    return std::nullopt;
  }

  std::string examine_stack() {
    progress_.begin("stack");
    host::options where;
    if (simulated_) {
      where.kind = host_kind::capture;
      where.folder = simulated_->capture;
    }
    host node(where);
    evidence_ = read_evidence(node, {true, nvml_program_path()});
    has_evidence_ = true;
    record().foreign_processes = find_gpu_processes(evidence_);
    conclude();
    progress_.end(fmt::format("{}: {}", to_string(run_.stack.status), run_.stack.summary));
    return {};
  }

  /// Why no program may run on the GPUs; empty when they may.
  std::string obstacle() {
    if (run_.stack.is_no_gpu_node)
      return "not a GPU node";
    if (!record().foreign_processes.empty() && !options_.is_forced)
      return "other processes use the GPUs";
    return {};
  }

  program_record run_program(const std::string &program, int gpu, std::vector<std::string> arguments) {
    const std::string title = gpu < 0 ? program : fmt::format("{}, GPU {}", program, gpu);
    progress_.begin(title);
    gpu_program_request request;
    request.name = program;
    request.program = gpu_program_path(program);
    request.arguments = std::move(arguments);
    request.environment = environment();
    request.can_list = gpu >= 0; // over all GPUs, their number is what is asked for
    request.lines_file =
        options_.output / "cases" / (gpu < 0 ? program + ".jsonl" : fmt::format("{}-gpu{}.jsonl", program, gpu));
    request.case_deadline = options_.case_deadline;
    request.on_progress = [this](const case_progress &now) { progress_.update(now); };
    program_record ran = run_gpu_program(request);
    progress_.end(summarize(ran));
    return ran;
  }

  std::vector<std::string> environment() const {
    std::vector<std::string> variables = base_environment();
    for (const std::string &name : options_.passed_environment)
      variables.push_back(fmt::format("{}={}", name, std::getenv(name.c_str()))); // set: checked at the start
    if (simulated_)
      variables.insert(variables.end(), simulated_->environment.begin(), simulated_->environment.end());
    return variables;
  }

  std::vector<std::string> common_arguments() const {
    std::vector<std::string> arguments{"--scale", options_.scale, "--level", std::string(name_of(options_.level))};
    if (!options_.seed.empty())
      arguments.insert(arguments.end(), {"--seed", options_.seed});
    return arguments;
  }

  /// One process for all GPUs says how many there are; each becomes a record of its own.
  std::string test_ready() {
    if (std::string reason = obstacle(); !reason.empty())
      return reason;
    program_record all =
        run_program("ready", -1, {"--wait-for-fabric", fmt::format("{}", options_.wait_for_fabric.count())});
    record().gpus = split_by_gpu(all);
    return {};
  }

  std::string test_gpus(const std::string &program) {
    if (std::string reason = obstacle(); !reason.empty())
      return reason;
    const bool any_ready = std::any_of(record().gpus.begin(), record().gpus.end(), is_ready);
    if (!any_ready)
      return "no GPU is ready";
    for (gpu_record &gpu : record().gpus) {
      if (!is_ready(gpu))
        continue;
      std::vector<std::string> arguments = common_arguments();
      arguments.insert(arguments.end(), {"--device", fmt::format("{}", gpu.index)});
      gpu.programs.push_back(run_program(program, gpu.index, std::move(arguments)));
      if (const auto &processes = gpu.programs.back().processes; !processes.empty() && processes.front().run)
        gpu.identity = processes.front().run->device;
      conclude();
    }
    return {};
  }

  const acceptance_options &options_;
  report run_;
  std::optional<simulated_run> simulated_;
  node_evidence evidence_;
  bool has_evidence_ = false;
  progress progress_;
};

} // namespace

report run_acceptance(const acceptance_options &options) { return acceptance(options).run(); }

} // namespace gpucert
