// SPDX-License-Identifier: Apache-2.0
// Check xid: which errors did GPUs and NVSwitches report in this boot? The class of each number is that of the finding
// which lists it in findings.json, after NVIDIA's Xid catalogue
// (docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html).
#include "checks/catalogue.h"
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "checks/version_claims.h"
#include "node/evidence.h"
#include "node/kernel_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace gpucert {
namespace {

constexpr std::string_view nvlink_error = "hw.nvlink-error", application = "hw.xid-application", watch = "hw.xid-watch",
                           fell_off_bus = "hw.fell-off-bus", row_remap_pending = "hw.row-remap-pending";
constexpr int xid_cleanup = 45, xid_recovery_action = 154;
constexpr int first_nvlink5 = 144, last_nvlink5 = 150;

// Errors of one GPU within this time of the first are its consequences.
constexpr double consequence_s = 10;
constexpr std::size_t most_lines = 4; // of evidence

std::string_view class_of_number(int xid) {
  const finding_definition *known = catalogue::built_in().find_by_xid(xid);
  return known != nullptr ? std::string_view(known->id) : watch;
}

std::string_view class_of(const xid_event &event) {
  if (event.is_sxid)
    return !event.is_fatal ? watch : *event.is_fatal ? nvlink_error : application;
  const bool is_nvlink5 = event.xid >= first_nvlink5 && event.xid <= last_nvlink5;
  if (is_nvlink5 && event.is_fatal == false)
    return application; // the link recovered by itself
  return class_of_number(event.xid);
}

bool fails(std::string_view id) { return catalogue::built_in().find(id)->severity == severity::fail; }

/// Whether an error says nothing new so shortly after another one of the same GPU. What needs a reset, loses memory or
/// takes the GPU off the bus is a fault whatever came first.
bool is_consequence(std::string_view id, std::string_view first) {
  return !fails(id) || (fails(first) && (id.starts_with("gsp.") || id == nvlink_error));
}

std::optional<double> time_of(const xid_event &event) {
  return event.seconds_since_boot ? event.seconds_since_boot : seconds_of_wall_time(event.wall_time);
}

/// The errors of one class on one GPU.
struct report {
  std::string id;
  std::optional<std::string> address;
  std::vector<const xid_event *> events;
  std::optional<int> named_cause; // by "caused by previous Xid", when that one is not in the log
};

/// The errors of one GPU that came close together.
struct burst {
  std::optional<double> start;
  std::string_view first_class;
};

class xid_reports {
public:
  explicit xid_reports(const std::vector<xid_event> &events) : events_(events) {
    for (const xid_event &event : events)
      if (event.is_sxid || event.xid != xid_recovery_action) // which repeats what others said: check recovery_action
        take(event);
  }
  const std::vector<report> &all() const { return reports_; }

private:
  void take(const xid_event &event) {
    const bool is_caused = !event.is_sxid && event.xid == xid_cleanup && event.caused_by;
    if (is_caused && is_in_log(*event.caused_by))
      return;
    const std::string_view id = is_caused ? class_of_number(*event.caused_by) : class_of(event);
    if (is_within_burst(event, id) && is_consequence(id, bursts_[event.address].first_class))
      return;
    report &found = report_of(id, event.address);
    found.events.push_back(&event);
    if (is_caused)
      found.named_cause = event.caused_by;
  }

  bool is_in_log(int xid) const {
    return std::any_of(events_.begin(), events_.end(),
                       [&](const xid_event &event) { return !event.is_sxid && event.xid == xid; });
  }

  /// False for the first error of a burst, which it opens.
  bool is_within_burst(const xid_event &event, std::string_view id) {
    const auto time = time_of(event);
    const auto [found, is_first] = bursts_.try_emplace(event.address, burst{time, id});
    if (is_first)
      return false;
    burst &last = found->second;
    if (!time || !last.start || std::abs(*time - *last.start) <= consequence_s)
      return true;
    last = {time, id};
    return false;
  }

  report &report_of(std::string_view id, const std::optional<std::string> &address) {
    const auto same = std::find_if(reports_.begin(), reports_.end(),
                                   [&](const report &known) { return known.id == id && known.address == address; });
    return same != reports_.end() ? *same : reports_.emplace_back(report{std::string(id), address, {}, {}});
  }

  const std::vector<xid_event> &events_;
  std::map<std::optional<std::string>, burst> bursts_;
  std::vector<report> reports_;
};

/// "Xid 48, 171 and 94".
std::string numbers_of(const report &found) {
  std::vector<std::string> numbers;
  for (const xid_event *event : found.events)
    if (std::string number = fmt::format("{}", event->xid);
        std::find(numbers.begin(), numbers.end(), number) == numbers.end())
      numbers.push_back(std::move(number));
  return fmt::format("{} {}", found.events.front()->is_sxid ? "SXid" : "Xid", fmt::join(numbers, ", "));
}

std::string process_of(const xid_event &event) {
  if (!event.name && !event.pid)
    return "";
  return fmt::format(", while {} was at work", event.name && event.pid
                                                   ? fmt::format("{} (pid {})", *event.name, *event.pid)
                                               : event.name ? *event.name
                                                            : fmt::format("pid {}", *event.pid));
}

/// One line of each number first, since eight alike say no more than one.
std::vector<const xid_event *> best_lines(const report &found) {
  std::vector<const xid_event *> chosen;
  for (const xid_event *event : found.events)
    if (chosen.size() < most_lines &&
        std::none_of(chosen.begin(), chosen.end(), [&](const xid_event *known) { return known->xid == event->xid; }))
      chosen.push_back(event);
  return chosen;
}

void state(const report &found, const node_evidence &node, judgement &result) {
  const xid_event &first = *found.events.front();
  std::int64_t count = 0;
  for (const xid_event *event : found.events)
    count += event->count;
  const std::string when = when_of(first);
  finding &stated =
      result.add(found.id)
          .saw("{} on {}{}{}{}", numbers_of(found),
               first.is_sxid ? "NVSwitch " + found.address.value_or("of unknown address") : gpu_of(found.address),
               when.empty() ? "" : ", first " + when, count > 1 ? fmt::format(", {} lines", count) : "",
               process_of(first))
          .expected("no such error in this boot");
  for (const xid_event *event : best_lines(found))
    stated.read_from(node.log.source, line_of(*event));
  if (found.named_cause)
    stated.is_inferred_because(fmt::format("the line of Xid {} itself is not in the log", *found.named_cause));
  if (found.id == fell_off_bus && first.name)
    stated.note("The process named is the one that touched the GPU then, not the culprit.");
}

/// By address, or the only one of a node with one GPU.
const nvml_device *device_of(const report &found, const node_evidence &node) {
  if (const nvml_device *device = device_at(node, found.address))
    return device;
  const bool is_only_one =
      node.gpus.is_known() && node.gpus->size() == 1 && node.nvml.is_known() && node.nvml->devices.size() == 1;
  return is_only_one ? &node.nvml->devices.front() : nullptr;
}

/// Xid 154 with the action "None" behind the errors: the GPU was reset since, and the driver asks for nothing more.
bool was_reset_since(const report &found, const std::vector<xid_event> &events) {
  for (const xid_event &event : events)
    if (event.xid == xid_recovery_action && event.address == found.address && &event > found.events.back() &&
        event.body.find(" to 0x0 (None)") != event.body.npos)
      return true;
  return false;
}

/// Xid 63 announces that a row will be replaced at the next reset; NVML tells whether that has happened since.
bool is_settled(const report &found, const node_evidence &node) {
  constexpr std::array<std::string_view, 3> ended_by_reset{"hw.xid-gpu-fault", "gsp.crash", "gsp.rpc-timeout"};
  if (std::find(ended_by_reset.begin(), ended_by_reset.end(), std::string_view(found.id)) != ended_by_reset.end())
    return was_reset_since(found, node.log->xids);
  const nvml_device *device = found.id == row_remap_pending ? device_of(found, node) : nullptr;
  return device != nullptr && device->functions.values("nvmlDeviceGetRemappedRows", "isPending") == 0;
}

void judge_xid(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.log.is_known()) {
    if (!node.platform.has_gpu_off_pci() && has_driver(node) != false)
      result.cannot_tell("errors that GPUs reported", node.log);
    return;
  }
  const xid_reports reports(node.log->xids);
  for (const report &found : reports.all())
    if (!is_settled(found, node))
      state(found, node, result);
}

const check_registration registration{
    {"xid", "which errors did GPUs and NVSwitches report in this boot?", false, judge_xid}};

} // namespace
} // namespace gpucert
