// SPDX-License-Identifier: Apache-2.0
#include "certify/stack_json.h"

#include <algorithm>
#include <array>
#include <chrono>
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

json evidence_to_json(const std::vector<evidence_item> &items) {
  json list = json::array();
  for (const evidence_item &item : items)
    list.push_back({{"source", item.source}, {"text", item.text}});
  return list;
}

std::vector<evidence_item> evidence_from_json(const json &list) {
  std::vector<evidence_item> items;
  for (const json &item : list)
    items.push_back({item.at("source").get<std::string>(), item.at("text").get<std::string>()});
  return items;
}

json finding_to_json(const reported_finding &found) {
  return {{"id", found.id},
          {"severity", name_of(found.level)},
          {"title", found.title},
          {"saw", found.saw},
          {"expected", found.expected},
          {"notes", found.notes},
          {"evidence", evidence_to_json(found.evidence)},
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
  found.evidence = evidence_from_json(document.at("evidence"));
  found.inferred_because = optional_from_json(document.at("inferred_because"));
  document.at("action").get_to(found.action);
  document.at("is_explained").get_to(found.is_explained);
  return found;
}

constexpr std::array<ruling_word, 3> ruling_words{ruling_word::ruled_out, ruling_word::not_ruled_out,
                                                  ruling_word::unknown};

json entry_to_json(const timeline_entry &entry) {
  return {{"when", entry.when}, {"what", entry.what}, {"source", entry.source}};
}

timeline_entry entry_from_json(const json &entry) {
  return {entry.at("when").get<std::string>(), entry.at("what").get<std::string>(),
          entry.at("source").get<std::string>(), std::nullopt};
}

json history_to_json(const std::optional<fault_history> &history) {
  if (!history)
    return nullptr;
  return {{"born", entry_to_json(history->born)},
          {"first_hurt", history->first_hurt ? entry_to_json(*history->first_hurt) : json(nullptr)},
          {"hidden_for_seconds", history->hidden_for ? json(history->hidden_for->count()) : json(nullptr)}};
}

std::optional<fault_history> history_from_json(const json &document) {
  if (document.is_null())
    return std::nullopt;
  fault_history history{entry_from_json(document.at("born")), {}, {}};
  if (const json &first = document.at("first_hurt"); !first.is_null())
    history.first_hurt = entry_from_json(first);
  if (const json &hidden = document.at("hidden_for_seconds"); !hidden.is_null())
    history.hidden_for = std::chrono::seconds{hidden.get<long long>()};
  return history;
}

json hypothesis_to_json(const judged_hypothesis &judged) {
  return {{"name", judged.name},
          {"question", judged.question},
          {"ruling", to_string(judged.ruling.word)},
          {"why", judged.ruling.why},
          {"evidence", evidence_to_json(judged.ruling.evidence)}};
}

judged_hypothesis hypothesis_from_json(const json &document) {
  judged_hypothesis judged{document.at("name").get<std::string>(), document.at("question").get<std::string>(), {}};
  const auto word = document.at("ruling").get<std::string>();
  const auto known = std::find_if(ruling_words.begin(), ruling_words.end(),
                                  [&](ruling_word candidate) { return to_string(candidate) == word; });
  if (known == ruling_words.end())
    throw unknown_word("ruling", word);
  judged.ruling.word = *known;
  document.at("why").get_to(judged.ruling.why);
  judged.ruling.evidence = evidence_from_json(document.at("evidence"));
  return judged;
}

json next_boot_to_json(const next_boot &boot) {
  return {{"is_coherent", boot.is_coherent ? json(*boot.is_coherent) : json(nullptr)},
          {"kernel", optional_to_json(boot.kernel)},
          {"module_release", optional_to_json(boot.module_release)},
          {"library_release", optional_to_json(boot.library_release)},
          {"because", boot.because}};
}

next_boot next_boot_from_json(const json &document) {
  next_boot boot;
  if (!document.at("is_coherent").is_null())
    boot.is_coherent = document.at("is_coherent").get<bool>();
  boot.kernel = optional_from_json(document.at("kernel"));
  boot.module_release = optional_from_json(document.at("module_release"));
  boot.library_release = optional_from_json(document.at("library_release"));
  document.at("because").get_to(boot.because);
  return boot;
}

json way_back_to_json(const std::optional<way_back> &way) {
  if (!way)
    return nullptr;
  json packages = json::array();
  for (const returning_package &package : way->packages)
    packages.push_back(
        {{"name", package.name}, {"version", package.version}, {"where", optional_to_json(package.where)}});
  return {{"release", way->release},
          {"because", way->because},
          {"packages", packages},
          {"is_obtainable", way->is_obtainable ? json(*way->is_obtainable) : json(nullptr)},
          {"obtainable_because", way->obtainable_because},
          {"commands", way->commands},
          {"needs_reboot", way->needs_reboot ? json(*way->needs_reboot) : json(nullptr)},
          {"next_boot", way->next_boot}};
}

std::optional<bool> optional_bool_from_json(const json &value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<bool>());
}

std::optional<way_back> way_back_from_json(const json &document) {
  if (document.is_null())
    return std::nullopt;
  way_back way;
  document.at("release").get_to(way.release);
  document.at("because").get_to(way.because);
  for (const json &package : document.at("packages"))
    way.packages.push_back({package.at("name").get<std::string>(), package.at("version").get<std::string>(),
                            optional_from_json(package.at("where"))});
  way.is_obtainable = optional_bool_from_json(document.at("is_obtainable"));
  document.at("obtainable_because").get_to(way.obtainable_because);
  document.at("commands").get_to(way.commands);
  way.needs_reboot = optional_bool_from_json(document.at("needs_reboot"));
  document.at("next_boot").get_to(way.next_boot);
  return way;
}

json diagnosis_to_json(const diagnosis &conclusion) {
  json steps = json::array(), timeline = json::array(), hypotheses = json::array();
  for (const action_step &step : conclusion.steps)
    steps.push_back({{"text", step.text}, {"command", optional_to_json(step.command)}, {"why", step.why}});
  for (const timeline_entry &entry : conclusion.timeline)
    timeline.push_back(entry_to_json(entry));
  for (const judged_hypothesis &judged : conclusion.hypotheses)
    hypotheses.push_back(hypothesis_to_json(judged));
  return {{"root_cause", optional_to_json(conclusion.root_cause)},
          {"action", conclusion.action},
          {"action_title", conclusion.action_title},
          {"steps", steps},
          {"next_boot", next_boot_to_json(conclusion.next_boot)},
          {"way_back", way_back_to_json(conclusion.way_back)},
          {"explained", conclusion.explained},
          {"history", history_to_json(conclusion.history)},
          {"hypotheses", hypotheses},
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
  if (document.contains("next_boot")) // not in the first reports of this format
    conclusion.next_boot = next_boot_from_json(document.at("next_boot"));
  document.at("explained").get_to(conclusion.explained);
  for (const json &entry : document.at("timeline"))
    conclusion.timeline.push_back(entry_from_json(entry));
  // Not in the first reports of this format.
  conclusion.way_back = way_back_from_json(document.value("way_back", json(nullptr)));
  conclusion.history = history_from_json(document.value("history", json(nullptr)));
  for (const json &judged : document.value("hypotheses", json::array()))
    conclusion.hypotheses.push_back(hypothesis_from_json(judged));
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
