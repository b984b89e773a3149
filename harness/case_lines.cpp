// SPDX-License-Identifier: Apache-2.0
// Writing the events of a run as lines of JSON. Absent values have no key; a number that JSON cannot hold is never
// written.
#include "harness/case_lines.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace gpucert {
namespace {

using nlohmann::ordered_json;

std::string line_of(const ordered_json &event) {
  // Names and messages come from libraries: each byte that is no UTF-8 becomes U+FFFD.
  return event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

double finite_or_zero(double value) { return std::isfinite(value) ? value : 0; }

ordered_json json_of(const device_identity &device) {
  return {{"index", device.index},
          {"name", device.name},
          {"pci_bus_id", device.pci_bus_id},
          {"compute_capability", device.compute_capability},
          {"memory_bytes", finite_or_zero(device.memory_bytes)},
          {"l2_bytes", finite_or_zero(device.l2_bytes)},
          {"multiprocessors", device.multiprocessors}};
}

ordered_json json_of(const loaded_library &library) {
  return {{"name", library.name},
          {"path", library.path},
          {"digest", library.digest},
          {"is_simulator", library.is_simulator}};
}

ordered_json json_of(const metric &measured) {
  ordered_json object{{"name", measured.name},
                      {"value", measured.value},
                      {"unit", measured.unit},
                      {"is_higher_better", measured.is_higher_better}};
  object["samples"] = ordered_json::array();
  for (const double sample : measured.samples)
    if (std::isfinite(sample))
      object["samples"].push_back(sample);
  object["peak_kind"] = measured.peak_kind;
  object["details"] = ordered_json::object();
  for (const auto &[key, value] : measured.details)
    if (std::isfinite(value))
      object["details"][key] = value;
  return object;
}

/// A metric without a finite value cannot be written, and must not vanish from a case that passed.
case_end with_finite_metrics(case_end event) {
  std::vector<metric> finite;
  for (metric &measured : event.metrics) {
    if (std::isfinite(measured.value)) {
      finite.push_back(std::move(measured));
      continue;
    }
    if (event.outcome == case_outcome::pass)
      event.outcome = case_outcome::error;
    event.reason += (event.reason.empty() ? "" : "; ") + measured.name + " has no finite value";
  }
  event.metrics = std::move(finite);
  return event;
}

} // namespace

std::string_view name_of(case_outcome outcome) {
  switch (outcome) {
  case case_outcome::pass:
    return "pass";
  case case_outcome::fail:
    return "fail";
  case case_outcome::skip:
    return "skip";
  case case_outcome::error:
    break;
  }
  return "error";
}

std::optional<case_outcome> parse_case_outcome(std::string_view word) {
  for (const auto outcome : {case_outcome::pass, case_outcome::fail, case_outcome::skip, case_outcome::error})
    if (word == name_of(outcome))
      return outcome;
  return std::nullopt;
}

std::string to_line(const run_event &event) {
  ordered_json object{{"event", "run"},
                      {"program", event.program},
                      {"suite_version", event.suite_version},
                      {"scale", event.scale},
                      {"seed", event.seed}};
  if (event.device)
    object["device"] = json_of(*event.device);
  if (event.cuda_driver_version)
    object["cuda_driver_version"] = *event.cuda_driver_version;
  if (event.cuda_runtime_version)
    object["cuda_runtime_version"] = *event.cuda_runtime_version;
  object["architectures"] = event.architectures;
  object["libraries"] = ordered_json::array();
  for (const loaded_library &library : event.libraries)
    object["libraries"].push_back(json_of(library));
  object["is_simulated"] = event.is_simulated;
  return line_of(object);
}

std::string start_line(std::string_view case_name) { return line_of({{"event", "start"}, {"case", case_name}}); }

std::string to_line(const case_end &as_given) {
  const case_end event = with_finite_metrics(as_given);
  ordered_json object{
      {"event", "end"}, {"case", event.name}, {"outcome", name_of(event.outcome)}, {"reason", event.reason}};
  if (event.cuda_error)
    object["cuda_error"] = *event.cuda_error;
  object["seconds"] = finite_or_zero(event.seconds);
  object["metrics"] = ordered_json::array();
  for (const metric &measured : event.metrics)
    object["metrics"].push_back(json_of(measured));
  return line_of(object);
}

std::string done_line() { return line_of({{"event", "done"}}); }

} // namespace gpucert
