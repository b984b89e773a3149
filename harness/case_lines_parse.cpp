// SPDX-License-Identifier: Apache-2.0
// parse_case_lines: what the lines of one process said. The text may come from a crashed or a foreign program.
#include "harness/case_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace gpucert {
namespace {

using nlohmann::json;

constexpr int depth_limit = 8; // events nest 4 deep; nlohmann/json would recurse when it frees a deep tree

/// A line is no event of ours. Thrown and caught in this file only.
struct malformed : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Refuses a deep text before a tree of it exists. Brackets in strings do not count.
bool is_shallow(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > depth_limit)
        return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

const json &member(const json &object, const char *key) {
  const auto at = object.find(key);
  if (at == object.end())
    throw malformed(key);
  return *at;
}

std::string text(const json &object, const char *key) {
  const json &value = member(object, key);
  if (!value.is_string())
    throw malformed(key);
  return value.get<std::string>();
}

bool truth(const json &object, const char *key) {
  const json &value = member(object, key);
  if (!value.is_boolean())
    throw malformed(key);
  return value.get<bool>();
}

double number_of(const json &value) {
  if (!value.is_number())
    throw malformed("not a number");
  return value.get<double>();
}

int whole_of(const json &value) {
  if (!value.is_number_integer())
    throw malformed("not a whole number");
  const double number = value.get<double>(); // exact for every int
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
    throw malformed("too large");
  return static_cast<int>(number);
}

const json &list(const json &object, const char *key) {
  const json &value = member(object, key);
  if (!value.is_array())
    throw malformed(key);
  return value;
}

std::optional<int> optional_whole(const json &object, const char *key) {
  return object.contains(key) ? std::optional(whole_of(object[key])) : std::nullopt;
}

device_identity device_of(const json &object) {
  if (!object.is_object())
    throw malformed("device");
  return {whole_of(member(object, "index")),
          text(object, "name"),
          text(object, "pci_bus_id"),
          text(object, "compute_capability"),
          number_of(member(object, "memory_bytes")),
          number_of(member(object, "l2_bytes")),
          whole_of(member(object, "multiprocessors"))};
}

run_event run_of(const json &object) {
  run_event event;
  event.program = text(object, "program");
  event.suite_version = text(object, "suite_version");
  event.scale = text(object, "scale");
  event.seed = text(object, "seed");
  if (object.contains("device"))
    event.device = device_of(object["device"]);
  event.cuda_driver_version = optional_whole(object, "cuda_driver_version");
  event.cuda_runtime_version = optional_whole(object, "cuda_runtime_version");
  for (const json &architecture : list(object, "architectures"))
    event.architectures.push_back(whole_of(architecture));
  for (const json &library : list(object, "libraries"))
    event.libraries.push_back(
        {text(library, "name"), text(library, "path"), text(library, "digest"), truth(library, "is_simulator")});
  event.is_simulated = truth(object, "is_simulated");
  return event;
}

metric metric_of(const json &object) {
  metric measured;
  measured.name = text(object, "name");
  measured.value = number_of(member(object, "value")); // a metric without a value is not one
  measured.unit = text(object, "unit");
  measured.is_higher_better = truth(object, "is_higher_better");
  for (const json &sample : list(object, "samples"))
    measured.samples.push_back(number_of(sample));
  measured.peak_kind = text(object, "peak_kind");
  const json &details = member(object, "details");
  if (!details.is_object())
    throw malformed("details");
  for (const auto &[key, value] : details.items())
    measured.details[key] = number_of(value);
  return measured;
}

case_end end_of(const json &object) {
  case_end event;
  event.name = text(object, "case");
  const auto outcome = parse_case_outcome(text(object, "outcome"));
  if (!outcome)
    throw malformed("outcome");
  event.outcome = *outcome;
  event.reason = text(object, "reason");
  event.cuda_error = optional_whole(object, "cuda_error");
  event.seconds = number_of(member(object, "seconds"));
  for (const json &measured : list(object, "metrics"))
    event.metrics.push_back(metric_of(measured));
  return event;
}

/// Takes one event into the record. The order is a part of the format: a run first and once, an end after its start.
void take(const json &object, run_record &record) {
  if (record.is_done)
    throw malformed("after the last one");
  const std::string event = text(object, "event");
  if (event == "run" && !record.run) {
    record.run = run_of(object);
  } else if (event == "start" && record.run && !record.running) {
    record.running = text(object, "case");
  } else if (event == "end" && record.running && text(object, "case") == *record.running) {
    record.ended.push_back(end_of(object));
    record.running.reset();
  } else if (event == "done" && record.run && !record.running) {
    record.is_done = true;
  } else {
    throw malformed(event);
  }
}

/// A foreign program may print many thousand lines, so that the ordinary ways of being no event cost no exception: no
/// JSON, no UTF-8, a number out of range, another document.
std::optional<json> event_in(std::string_view line) {
  if (!line.starts_with('{') || !is_shallow(line))
    return std::nullopt;
  constexpr bool throws = false;
  json object = json::parse(line.begin(), line.end(), nullptr, throws);
  if (object.is_discarded() || !object.is_object() || !object.contains("event"))
    return std::nullopt;
  return std::optional<json>(std::in_place, std::move(object));
}

void take_line(std::string_view line, run_record &record) {
  const std::optional<json> event = event_in(line);
  if (!event) {
    record.broken_lines.emplace_back(line);
    return;
  }
  try {
    take(*event, record);
  } catch (const malformed &) {
    record.broken_lines.emplace_back(line);
  }
}

} // namespace

run_record parse_case_lines(std::string_view lines) {
  run_record record;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (end == lines.npos)
      break; // cut off by a crash
    if (end > 0)
      take_line(lines.substr(0, end), record);
    lines.remove_prefix(end + 1);
  }
  return record;
}

} // namespace gpucert
