// SPDX-License-Identifier: Apache-2.0
#include "certify/stack_json.h"

#include <array>
#include <utility>

namespace gpucert {
namespace {

using json = nlohmann::ordered_json;

// The fields of stated_versions, once for both directions.
using version_field = std::optional<std::string> stated_versions::*;
constexpr std::array<std::pair<const char *, version_field>, 7> version_fields{
    {{"kernel_release", &stated_versions::kernel_release},
     {"distribution", &stated_versions::distribution},
     {"kernel_module_version", &stated_versions::kernel_module_version},
     {"on_disk_module_version", &stated_versions::on_disk_module_version},
     {"libcuda_version", &stated_versions::libcuda_version},
     {"nvml_version", &stated_versions::nvml_version},
     {"package_version", &stated_versions::package_version}}};

json optional_to_json(const std::optional<std::string> &text) { return text ? json(*text) : json(nullptr); }

std::optional<std::string> optional_from_json(const json &value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
}

std::optional<severity> parse_severity(std::string_view word) {
  for (const severity level : {severity::info, severity::warn, severity::fail})
    if (name_of(level) == word)
      return level;
  return std::nullopt;
}

json finding_to_json(const reported_finding &found) {
  json evidence = json::array();
  for (const evidence_item &item : found.evidence)
    evidence.push_back({{"source", item.source}, {"text", item.text}});
  return {{"id", found.id},
          {"severity", name_of(found.level)},
          {"title", found.title},
          {"saw", found.saw},
          {"expected", found.expected},
          {"notes", found.notes},
          {"evidence", evidence},
          {"inferred_because", optional_to_json(found.inferred_because)},
          {"action", found.action},
          {"is_explained", found.is_explained}};
}

reported_finding finding_from_json(const json &document) {
  reported_finding found;
  document.at("id").get_to(found.id);
  const auto word = document.at("severity").get<std::string>();
  const std::optional<severity> level = parse_severity(word);
  if (!level)
    throw unknown_word("severity", word);
  found.level = *level;
  document.at("title").get_to(found.title);
  document.at("saw").get_to(found.saw);
  document.at("expected").get_to(found.expected);
  document.at("notes").get_to(found.notes);
  for (const json &item : document.at("evidence"))
    found.evidence.push_back({item.at("source").get<std::string>(), item.at("text").get<std::string>()});
  found.inferred_because = optional_from_json(document.at("inferred_because"));
  document.at("action").get_to(found.action);
  document.at("is_explained").get_to(found.is_explained);
  return found;
}

json diagnosis_to_json(const diagnosis &conclusion) {
  json steps = json::array(), timeline = json::array();
  for (const action_step &step : conclusion.steps)
    steps.push_back({{"text", step.text}, {"command", optional_to_json(step.command)}, {"why", step.why}});
  for (const timeline_entry &entry : conclusion.timeline)
    timeline.push_back({{"when", entry.when}, {"what", entry.what}, {"source", entry.source}});
  return {{"root_cause", optional_to_json(conclusion.root_cause)},
          {"action", conclusion.action},
          {"action_title", conclusion.action_title},
          {"steps", steps},
          {"explained", conclusion.explained},
          {"timeline", timeline}};
}

diagnosis diagnosis_from_json(const json &document) {
  diagnosis conclusion;
  conclusion.root_cause = optional_from_json(document.at("root_cause"));
  document.at("action").get_to(conclusion.action);
  document.at("action_title").get_to(conclusion.action_title);
  for (const json &step : document.at("steps"))
    conclusion.steps.push_back({step.at("text").get<std::string>(), optional_from_json(step.at("command")),
                                step.at("why").get<std::string>()});
  document.at("explained").get_to(conclusion.explained);
  for (const json &entry : document.at("timeline"))
    conclusion.timeline.push_back({entry.at("when").get<std::string>(), entry.at("what").get<std::string>(),
                                   entry.at("source").get<std::string>()});
  return conclusion;
}

} // namespace

json stack_to_json(const stack_report &report, int exit) {
  json versions = json::object(), findings = json::array(), unknown = json::array();
  for (const auto &[name, field] : version_fields)
    versions[name] = optional_to_json(report.versions.*field);
  for (const reported_finding &found : report.findings)
    findings.push_back(finding_to_json(found));
  for (const unknown_in_check &missing : report.unknown)
    unknown.push_back({{"check", missing.check},
                       {"what", missing.fact.what},
                       {"source", missing.fact.source},
                       {"why", missing.fact.why}});
  return {{"status", to_string(report.status)},
          {"exit_code", exit},
          {"summary", report.summary},
          {"is_no_gpu_node", report.is_no_gpu_node},
          {"versions", versions},
          {"findings", findings},
          {"diagnosis", diagnosis_to_json(report.diagnosis)},
          {"unknown", unknown},
          {"checks", report.checks}};
}

stack_report stack_from_json(const json &document) {
  stack_report report;
  const auto word = document.at("status").get<std::string>();
  const std::optional<stack_status> status = parse_stack_status(word);
  if (!status)
    throw unknown_word("status", word);
  report.status = *status;
  document.at("summary").get_to(report.summary);
  report.is_no_gpu_node = document.value("is_no_gpu_node", false); // not in the first reports of this format
  for (const auto &[name, field] : version_fields)
    report.versions.*field = optional_from_json(document.at("versions").at(name));
  for (const json &found : document.at("findings"))
    report.findings.push_back(finding_from_json(found));
  report.diagnosis = diagnosis_from_json(document.at("diagnosis"));
  for (const json &missing : document.at("unknown"))
    report.unknown.push_back({missing.at("check").get<std::string>(),
                              {missing.at("what").get<std::string>(), missing.at("source").get<std::string>(),
                               missing.at("why").get<std::string>()}});
  document.at("checks").get_to(report.checks);
  return report;
}

} // namespace gpucert
