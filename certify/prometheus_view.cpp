// SPDX-License-Identifier: Apache-2.0
#include "certify/monitoring_view.h"
#include "certify/terminal_text.h"
#include "node/log_time.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace gpucert {
namespace {

using labels = std::vector<std::pair<std::string_view, std::string>>;

/// The escapes of the text format, over text that holds no control characters.
std::string escape(std::string_view text) {
  std::string out;
  for (const char letter : escape_for_terminal(text)) {
    if (letter == '\\' || letter == '"')
      out += '\\';
    out += letter;
  }
  return out;
}

void family(std::string &out, std::string_view name, std::string_view help) {
  out += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", name, help);
}

void sample(std::string &out, std::string_view name, const labels &with, long long value) {
  out += name;
  std::string_view before = "{";
  for (const auto &[label, text] : with) {
    out += fmt::format("{}{}=\"{}\"", before, label, escape(text));
    before = ",";
  }
  out += fmt::format("{} {}\n", with.empty() ? "" : "}", value);
}

void write_findings(std::string &out, const stack_report &stack) {
  family(out, "gpucert_findings", "Findings by id; explained=\"true\" for consequences of another one.");
  std::map<std::tuple<std::string, std::string_view, bool>, long long> counts; // several GPUs may have one id
  for (const reported_finding &found : stack.findings)
    ++counts[{found.id, name_of(found.level), found.is_explained}];
  for (const auto &[key, count] : counts)
    sample(out, "gpucert_findings",
           {{"id", std::get<0>(key)},
            {"severity", std::string(std::get<1>(key))},
            {"explained", std::get<2>(key) ? "true" : "false"}},
           count);
}

void write_versions(std::string &out, const stated_versions &versions) {
  family(out, "gpucert_driver_versions_info", "Releases that the node states; empty where it states none.");
  sample(out, "gpucert_driver_versions_info",
         {{"kernel", versions.kernel_release.value_or("")},
          {"kernel_module", versions.kernel_module_version.value_or("")},
          {"on_disk_module", versions.on_disk_module_version.value_or("")},
          {"libcuda", versions.libcuda_version.value_or("")},
          {"nvml", versions.nvml_version.value_or("")},
          {"package", versions.package_version.value_or("")}},
         1);
}

} // namespace

std::string prometheus_view(const report &run) {
  const stack_report &stack = run.stack;
  std::string out;
  family(out, "gpucert_check_status", "Status of the driver stack: 0 pass, 1 warn, 2 fail, 3 unknown.");
  sample(out, "gpucert_check_status", {}, static_cast<long long>(stack.status));
  family(out, "gpucert_check_timestamp_seconds", "When the node was examined.");
  const std::optional<log_time> created = parse_log_time(run.created);
  const auto instant = created ? created->instant() : std::nullopt;
  sample(out, "gpucert_check_timestamp_seconds", {}, instant ? instant->time_since_epoch().count() : 0);
  family(out, "gpucert_check_unknown_facts", "Facts that a check needed and could not read.");
  sample(out, "gpucert_check_unknown_facts", {}, static_cast<long long>(stack.unknown.size()));
  family(out, "gpucert_check_root_cause_info", "Root cause and action; empty where nothing was found.");
  sample(out, "gpucert_check_root_cause_info",
         {{"root_cause", stack.diagnosis.root_cause.value_or("")}, {"action", stack.diagnosis.action}}, 1);
  write_findings(out, stack);
  write_versions(out, stack.versions);
  return out;
}

} // namespace gpucert
