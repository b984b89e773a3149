// SPDX-License-Identifier: Apache-2.0
// gpucert-ready: is every GPU of this node usable by a new process right now? One case per visible device.
//
// While Fabric Manager starts, every context creation fails with error 802. The CUDA runtime remembers a failed start,
// so waiting takes a fresh process per try: this one replaces itself (exec), which keeps its process id for whoever
// waits.
#include "harness/case_writer.h"
#include "harness/clock.h"
#include "harness/device.h"
#include "harness/program_options.h"
#include "harness/ready/device_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <cuda_runtime_api.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace gpucert {
namespace {

constexpr std::string_view program = "gpucert-ready";
constexpr auto pause_between_tries = std::chrono::milliseconds(1000);

struct ready_options {
  std::vector<std::string> words; // the command line
  program_options shared;
  double fabric_seconds = 0;
  // From an earlier try:
  std::optional<double> fabric_deadline; // in seconds of CLOCK_MONOTONIC, which exec leaves alone
  bool has_started = false;              // the run and the start of its first case are written
};

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Starts this program again with the same options. Does not return.
[[noreturn]] void start_again(std::vector<std::string> words, double deadline, bool has_started) {
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string &word) {
                               return word.rfind("--fabric-deadline=", 0) == 0 || word == "--fabric-started";
                             }),
              words.end());
  words.insert(words.begin(), std::string(program));
  words.push_back(fmt::format("--fabric-deadline={:.3f}", deadline));
  if (has_started)
    words.emplace_back("--fabric-started");
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv("/proc/self/exe", pointers.data());
  throw std::system_error(errno, std::generic_category(), "cannot start gpucert-ready again");
}

/// Waits a little and tries again when all that is missing is Fabric Manager, and there is time left.
void wait_for_fabric(std::optional<int> error, const ready_options &options, bool has_started) {
  if (error != cudaErrorSystemNotReady)
    return;
  const double now = monotonic_seconds();
  const double deadline = options.fabric_deadline.value_or(now + options.fabric_seconds);
  if (now >= deadline)
    return;
  fmt::print(stderr, "{}: error 802, waiting up to {:.0f} s for Fabric Manager\n", program, deadline - now);
  const std::chrono::duration<double> left(deadline - now);
  std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(pause_between_tries, left));
  start_again(options.words, deadline, has_started);
}

/// The devices to probe, or why they are not known.
struct device_list {
  std::vector<int> devices;
  std::optional<cuda_failure> failure;
};

device_list read_devices(const program_options &options) {
  device_list list;
  int count = 0;
  list.failure = read_device_count(count);
  if (!list.failure && count == 0)
    list.failure = cuda_failure{cudaErrorNoDevice, "cudaGetDeviceCount: no visible device"};
  if (list.failure)
    return list;
  if (options.device && *options.device >= count)
    throw wrong_usage(fmt::format("--device {}: there are {} visible devices", *options.device, count));
  for (int i = 0; i < count; ++i)
    if (!options.device || *options.device == i)
      list.devices.push_back(i);
  return list;
}

std::string id_of(int device) { return fmt::format("ready.gpu_{}", device); }

struct ready_counts {
  int run = 0;
  int passed = 0;
};

ready_counts run_devices(const std::vector<int> &devices, const ready_options &options, case_writer &lines) {
  ready_counts counts;
  for (const int device : devices) {
    const std::string id = id_of(device);
    if (!options.shared.selection.selects(id, run_level::quick))
      continue;
    const bool is_first = counts.run++ == 0;
    if (!is_first || !options.has_started)
      lines.write(start_line(id));
    const announced_case announced(id);
    const auto start = std::chrono::steady_clock::now();
    case_end end = run_device_probe(id, device, options.shared.settings.seed);
    end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (is_first) // Some drivers count the devices and refuse only the first context.
      wait_for_fabric(end.cuda_error, options, true);
    lines.write(to_line(end));
    fmt::print("{} {}{}{}\n", id, name_of(end.outcome), end.reason.empty() ? "" : ": ", end.reason);
    std::fflush(stdout);
    counts.passed += end.outcome == case_outcome::pass;
  }
  return counts;
}

/// No device could be asked for: one case says so, of the device that was wanted or of the list of devices.
program_exit report_no_devices(const cuda_failure &failure, const program_options &options, case_writer &lines) {
  case_end end;
  end.name = options.device ? id_of(*options.device) : "ready.devices";
  end.reason = failure.reason;
  end.cuda_error = failure.code;
  lines.write(start_line(end.name));
  lines.write(to_line(end));
  lines.write(done_line());
  fmt::print("{} error: {}\n", end.name, end.reason);
  return failure.code == cudaErrorInsufficientDriver && is_driver_too_old(read_cuda_driver_version())
             ? program_exit::unknown // a limit of this build, not a fault of the node
             : program_exit::failed;
}

std::optional<ready_options> parse_options(const std::vector<std::string> &words) {
  CLI::App app{"Uses every visible GPU once: context, allocation, small kernel, copy back, compare.\n"
               "Exits 0 when all can be used, 2 when one cannot, 3 when the driver is too old for this build,\n"
               "64 on wrong usage.",
               std::string(program)};
  ready_options options;
  options.words = words;
  app.add_option("--wait-for-fabric", options.fabric_seconds,
                 "Try again for so long while Fabric Manager starts (error 802)")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--fabric-deadline", options.fabric_deadline)->group(""); // for start_again only
  app.add_flag("--fabric-started", options.has_started)->group("");
  auto shared = parse_program_options(app, words);
  if (!shared)
    return std::nullopt;
  options.shared = *std::move(shared);
  return options;
}

program_exit run(const std::vector<std::string> &words) {
  const auto options = parse_options(words);
  if (!options)
    return program_exit::passed;
  case_writer lines(options->shared.case_lines_path);
  const device_list list = read_devices(options->shared);
  if (options->shared.lists_only) {
    for (const int device : list.devices)
      fmt::print("{}\n", id_of(device));
    return list.failure ? program_exit::failed : program_exit::passed;
  }
  if (list.failure)
    wait_for_fabric(list.failure->code, *options, options->has_started);
  const auto device = list.devices.size() == 1 ? read_device_identity(list.devices[0]) : std::nullopt;
  if (!options->has_started)
    lines.write(to_line(read_run_event(program, options->shared.settings, device)));
  if (list.failure)
    return report_no_devices(*list.failure, options->shared, lines);
  const ready_counts counts = run_devices(list.devices, *options, lines);
  if (counts.run == 0)
    throw std::runtime_error("no device is chosen by --filter and --exclude");
  lines.write(done_line());
  return counts.passed == counts.run ? program_exit::passed : program_exit::failed;
}

} // namespace
} // namespace gpucert

int main(int argument_count, char **arguments) {
  return gpucert::run_program(gpucert::program, [&] {
    return gpucert::run({arguments + 1, arguments + argument_count});
  });
}
