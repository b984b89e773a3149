// SPDX-License-Identifier: Apache-2.0
// What gpucert-ready, gpucert-conformance and gpucert-bench tell gpucert while they run: one JSON object a line,
// written at once, so that after a crash or a hang it is known which case was running and what had been done before.
//
//   {"event":"run", ...}    once, first: program, versions, settings, device, loaded libraries
//   {"event":"start","case":"conformance.stream.copy_f32"}
//   {"event":"end","case":..., "outcome":"pass"|"fail"|"skip"|"error","reason":..., "seconds":..., "metrics":[...]}
//   {"event":"done"}        once, last: without it the run is incomplete
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// A library that this process has mapped, by its own words in /proc/self/maps.
struct loaded_library {
  std::string name;   // libcudart, libcublas, libcublasLt, libcuda, libnvidia-ml
  std::string path;   // of the file that is mapped
  std::string digest; // "build-id:HEX", or "sha256:HEX" where the file has no build id
  bool is_simulator = false;

  friend bool operator==(const loaded_library &, const loaded_library &) = default;
};

/// The GPU (or MIG instance) that the run used.
struct device_identity {
  int index = 0;
  std::string name;
  std::string pci_bus_id;         // 0000:3b:00.0
  std::string compute_capability; // "9.0"
  double memory_bytes = 0;
  double l2_bytes = 0;
  int multiprocessors = 0;
};

struct run_event {
  std::string program; // gpucert-conformance
  std::string suite_version;
  std::string scale; // "full", "tiny"
  std::string seed;  // a number of 64 bits, as text
  std::optional<device_identity> device;
  std::optional<int> cuda_driver_version;  // of libcuda: 13000 for 13.0; absent when it could not be asked
  std::optional<int> cuda_runtime_version; // of libcudart
  std::vector<int> architectures;          // that this build has native code for: 75, 80, ...
  std::vector<loaded_library> libraries;
  bool is_simulated = false; // any library of the above is the simulator's
};

enum class case_outcome {
  pass,
  fail,  // a wrong result, or a limit that does not hold
  skip,  // not applicable on this GPU; always with the reason
  error, // could not be carried out: a CUDA error, no memory
};
std::string_view name_of(case_outcome outcome);
std::optional<case_outcome> parse_case_outcome(std::string_view word);

/// One measured quantity of a benchmark case.
struct metric {
  std::string name; // unique in a run, with its unit: "bench.stream.triad_f32_gb_per_s"
  double value = 0; // the median of `samples`
  std::string unit; // "gb_per_s", "us", "tflops"
  bool is_higher_better = true;
  std::vector<double> samples; // every one that was kept
  /// Attainable value of this GPU by its datasheet is compared with this kind: "memory", "copy", "f16" ...; empty:
  /// none.
  std::string peak_kind;
  std::map<std::string, double> details; // min, q1, q3, launches per sample, working set in bytes ...
};

struct case_end {
  std::string name;
  case_outcome outcome = case_outcome::error;
  std::string reason;            // of everything but pass: found, expected, where
  std::optional<int> cuda_error; // where a call of CUDA failed
  double seconds = 0;
  std::vector<metric> metrics;
};

/// Lines to write, each with its line end.
std::string to_line(const run_event &event);
std::string start_line(std::string_view case_name);
std::string to_line(const case_end &event);
std::string done_line();

/// What the lines of one process said. Takes any text: an incomplete last line, as a crash leaves it, is passed over.
struct run_record {
  std::optional<run_event> run;
  std::vector<case_end> ended;
  std::optional<std::string> running; // started and not ended
  bool is_done = false;
  std::vector<std::string> broken_lines; // that are no event; the program's fault, or somebody else's output
};
run_record parse_case_lines(std::string_view text);

} // namespace gpucert
