// SPDX-License-Identifier: Apache-2.0
#include "certify/text_view.h"

#include "certify/acceptance_view.h"
#include "certify/text_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {

void write_action(text_page &out, const diagnosis &conclusion) {
  out.heading(fmt::format("What to do: {} ({})", conclusion.action_title, conclusion.action));
  int number = 0;
  for (const action_step &step : conclusion.steps) {
    out.line(2, fmt::format("{}. {}{}", ++number, step.text, step.why.empty() ? "" : " (" + step.why + ")"));
    if (step.command)
      out.line(5, "$ " + *step.command);
  }
  if (conclusion.next_boot.is_coherent)
    out.line(2, in_one_line(conclusion.next_boot));
}

namespace {

// Evidence may be a whole file listing; a person needs its beginning, JSON has all of it.
constexpr std::size_t most_evidence_lines = 6;

std::string upper(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); });
  return result;
}

void write_evidence(text_page &out, const evidence_item &item) {
  std::string_view rest = item.text;
  std::size_t lines = 0;
  while (!rest.empty()) {
    const auto newline = std::min(rest.find('\n'), rest.size());
    if (++lines > most_evidence_lines)
      return out.field("", "(more in --format json)");
    out.field(lines == 1 ? "read" : "", lines == 1 ? fmt::format("{}: {}", item.source, rest.substr(0, newline))
                                                   : std::string(rest.substr(0, newline)));
    rest.remove_prefix(std::min(newline + 1, rest.size()));
  }
}

void write_finding(text_page &out, const reported_finding &found) {
  out.line(2, found.title);
  out.field("found", found.saw);
  out.field("expected", found.expected);
  if (found.inferred_because)
    out.field("inferred", *found.inferred_because);
  for (const evidence_item &item : found.evidence)
    write_evidence(out, item);
  for (const std::string &note : found.notes)
    out.field("note", note);
}

void write_way_back(text_page &out, const way_back &way) {
  out.heading(fmt::format("Way back: driver {}", way.release));
  out.line(2, fmt::format("The other way: {}.", way.because));
  out.line(2, fmt::format("Its packages {}: {}.",
                          !way.is_obtainable   ? "may be had"
                          : *way.is_obtainable ? "are to be had"
                                               : "are not to be had",
                          way.obtainable_because));
  for (const std::string &command : way.commands)
    out.line(5, "$ " + command);
  if (way.needs_reboot == false)
    out.line(2, fmt::format("It needs no reboot: the module in memory is still {}.", way.release));
  out.line(2, way.next_boot);
}

void write_timeline(text_page &out, const diagnosis &conclusion) {
  if (conclusion.timeline.empty())
    return;
  out.heading("What happened");
  for (const timeline_entry &entry : conclusion.timeline)
    out.line(2, fmt::format("{}  {}  ({})", entry.when, entry.what, entry.source));
  if (conclusion.history)
    out.line(2, fmt::format("The fault was {}.", conclusion.history->summary()));
}

/// What a person on call would look at first.
void write_hypotheses(text_page &out, const diagnosis &conclusion) {
  if (conclusion.hypotheses.empty())
    return;
  out.heading("Was it something else?");
  for (const judged_hypothesis &judged : conclusion.hypotheses) {
    const ruling &result = judged.ruling;
    out.line(2, fmt::format("{:<14} {} {}", to_string(result.word), judged.question, result.why));
    for (const evidence_item &item : result.evidence)
      out.line(17, fmt::format("{}: {}", item.source, item.text));
  }
}

void write_findings(text_page &out, const stack_report &stack) {
  const auto &findings = stack.findings;
  if (findings.empty())
    return;
  const bool is_fault = findings.front().level != severity::info;
  out.heading(fmt::format("{}: {}", is_fault ? "Root cause" : "Note", findings.front().id));
  write_finding(out, findings.front());
  if (is_fault)
    write_action(out, stack.diagnosis);
  if (is_fault && stack.diagnosis.way_back)
    write_way_back(out, *stack.diagnosis.way_back);
  write_timeline(out, stack.diagnosis);
  if (is_fault)
    write_hypotheses(out, stack.diagnosis);
  for (std::size_t index = 1; index < findings.size(); ++index) {
    const reported_finding &found = findings[index];
    out.heading(fmt::format(
        "{}: {}", found.is_explained ? "Consequence" : fmt::format("Also ({})", name_of(found.level)), found.id));
    write_finding(out, found);
    if (!found.is_explained && found.action != stack.diagnosis.action)
      out.field("action", found.action);
  }
}

void write_versions(text_page &out, const stated_versions &versions) {
  out.heading("Versions");
  const auto write = [&](std::string_view name, const std::optional<std::string> &version) {
    out.line(2, fmt::format("{:<26}{}", name, version.value_or("not known")));
  };
  write("kernel", versions.kernel_release);
  write("module in memory", versions.kernel_module_version);
  write("module on disk", versions.on_disk_module_version);
  write("libcuda", versions.libcuda_version);
  write("NVML", versions.nvml_version);
  write("user-space packages", versions.package_version);
}

void write_unknown(text_page &out, const stack_report &stack) {
  if (stack.unknown.empty())
    return;
  out.heading("Could not be judged");
  for (const unknown_in_check &missing : stack.unknown)
    out.line(2,
             fmt::format("{}: {} ({}: {})", missing.check, missing.fact.what, missing.fact.source, missing.fact.why));
}

} // namespace

std::string text_view(const report &run) {
  text_page out;
  if (run.acceptance)
    write_acceptance(out, *run.acceptance, run.verdicts);
  out.line(0, fmt::format("{}{}: {}", run.acceptance ? "Driver stack " : "", upper(to_string(run.stack.status)),
                          run.stack.summary));
  out.line(0, fmt::format("gpucert {} examined {} at {}", run.suite_version, run.subject, run.created));
  write_findings(out, run.stack);
  write_versions(out, run.stack.versions);
  write_unknown(out, run.stack);
  return out.take();
}

} // namespace gpucert
