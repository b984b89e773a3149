// SPDX-License-Identifier: Apache-2.0
#include "certify/text_view.h"

#include "certify/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gpucert {
namespace {

// Evidence may be a whole file listing; a person needs its beginning, JSON has all of it.
constexpr std::size_t most_evidence_lines = 6;

/// Collects lines; all text is escaped here, since any of it may come from a node or from a stored report.
class page {
public:
  void line(std::size_t indent, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "{:{}}{}\n", "", indent, escape_for_terminal(text));
  }
  void field(std::string_view name, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "  {:<9} {}\n", name, escape_for_terminal(text));
  }
  void heading(std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "\n{}\n", escape_for_terminal(text));
  }
  std::string take() { return std::move(text_); }

private:
  std::string text_;
};

std::string upper(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); });
  return result;
}

void write_evidence(page &out, const evidence_item &item) {
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

void write_finding(page &out, const reported_finding &found) {
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

void write_action(page &out, const diagnosis &conclusion) {
  out.heading(fmt::format("What to do: {} ({})", conclusion.action_title, conclusion.action));
  int number = 0;
  for (const action_step &step : conclusion.steps) {
    out.line(2, fmt::format("{}. {}{}", ++number, step.text, step.why.empty() ? "" : " (" + step.why + ")"));
    if (step.command)
      out.line(5, "$ " + *step.command);
  }
}

void write_timeline(page &out, const diagnosis &conclusion) {
  if (conclusion.timeline.empty())
    return;
  out.heading("What happened");
  for (const timeline_entry &entry : conclusion.timeline)
    out.line(2, fmt::format("{}  {}  ({})", entry.when, entry.what, entry.source));
}

void write_findings(page &out, const stack_report &stack) {
  const auto &findings = stack.findings;
  if (findings.empty())
    return;
  const bool is_fault = findings.front().level != severity::info;
  out.heading(fmt::format("{}: {}", is_fault ? "Root cause" : "Note", findings.front().id));
  write_finding(out, findings.front());
  if (is_fault)
    write_action(out, stack.diagnosis);
  write_timeline(out, stack.diagnosis);
  for (std::size_t index = 1; index < findings.size(); ++index) {
    const reported_finding &found = findings[index];
    out.heading(fmt::format(
        "{}: {}", found.is_explained ? "Consequence" : fmt::format("Also ({})", name_of(found.level)), found.id));
    write_finding(out, found);
    if (!found.is_explained && found.action != stack.diagnosis.action)
      out.field("action", found.action);
  }
}

void write_versions(page &out, const stated_versions &versions) {
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

void write_unknown(page &out, const stack_report &stack) {
  if (stack.unknown.empty())
    return;
  out.heading("Could not be judged");
  for (const unknown_in_check &missing : stack.unknown)
    out.line(2,
             fmt::format("{}: {} ({}: {})", missing.check, missing.fact.what, missing.fact.source, missing.fact.why));
}

} // namespace

std::string text_view(const report &run) {
  page out;
  out.line(0, fmt::format("{}: {}", upper(to_string(run.stack.status)), run.stack.summary));
  out.line(0, fmt::format("gpucert {} examined {} at {}", run.suite_version, run.subject, run.created));
  write_findings(out, run.stack);
  write_versions(out, run.stack.versions);
  write_unknown(out, run.stack);
  return out.take();
}

} // namespace gpucert
