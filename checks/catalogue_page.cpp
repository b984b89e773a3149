// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gpucert {
namespace {

constexpr std::string_view introduction =
    R"(<!-- Written by: gpucert list findings --format markdown > docs/findings.md -->
# Findings

What gpucert can find on a node, by area. Ids are permanent. Paths under *Evidence* are those of a capture; on the
node itself, `root/` is `/` and `commands/` holds the output of commands.

*Explained by* names the findings which, when they are there too, leave nothing of this one but a consequence: it is
then folded under them. A symptom only repeats what somebody saw and is folded under whatever leads to it, over several
links too. The root cause is the finding that nothing else explains; of several it is the most severe, and of those the
most decisive.

In commands, words in CAPITALS are to be filled in.
)";

/// Catalogue texts are plain: what Markdown would take as markup is escaped, also inside words ("libnvidia-*").
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*[]<>").find(c) != std::string_view::npos)
      result += '\\';
    result += c;
  }
  return result;
}

/// A code span; two backticks as the fence, since a command may hold one.
std::string code(std::string_view text) {
  return text.find('`') == text.npos ? fmt::format("`{}`", text) : fmt::format("`` {} ``", text);
}

/// The anchor of a heading that is the id alone: GitHub and most renderers drop the dots.
std::string link_to(std::string_view id) {
  std::string anchor(id);
  std::erase(anchor, '.');
  return fmt::format("[{}](#{})", id, anchor);
}

std::string_view reboot_sentence(reboot_helps answer) {
  switch (answer) {
  case reboot_helps::yes:
    return "A reboot helps.";
  case reboot_helps::no:
    return "A reboot alone does not help.";
  case reboot_helps::only_after:
    return "A reboot helps only after the steps before it.";
  }
  return "";
}

void append_action(std::string &page, const action_definition &action) {
  fmt::format_to(std::back_inserter(page), "\n**Action {}: {}.** {}\n\n", code(action.id), escaped(action.title),
                 action.id == "none" ? "" : reboot_sentence(action.reboot_helps));
  int number = 0;
  for (const action_step &step : action.steps) {
    fmt::format_to(std::back_inserter(page), "{}. {}", ++number, escaped(step.text));
    if (step.command)
      fmt::format_to(std::back_inserter(page), " {}", code(*step.command));
    fmt::format_to(std::back_inserter(page), " ({})\n", escaped(step.why));
  }
}

void append_finding(std::string &page, const catalogue &entries, const finding_definition &finding) {
  const auto out = std::back_inserter(page);
  fmt::format_to(out, "\n### {}\n\n**{}{}.** {}.\n\n{}\n\n*Evidence:* {}\n", finding.id, name_of(finding.severity),
                 finding.is_symptom ? ", symptom" : "", escaped(finding.title), escaped(finding.meaning),
                 escaped(finding.evidence));
  if (!finding.notes.empty())
    fmt::format_to(out, "\n*Note:* {}\n", escaped(finding.notes));
  if (!finding.explained_by.empty()) {
    page += "\n*Explained by:* ";
    for (const std::string &cause : finding.explained_by)
      fmt::format_to(out, "{}{}", &cause == &finding.explained_by.front() ? "" : ", ", link_to(cause));
    page += '\n';
  }
  append_action(page, *entries.action(finding.action));
}

} // namespace

std::string findings_page(const catalogue &entries) {
  std::vector<std::string_view> areas;
  for (const finding_definition &finding : entries.findings())
    if (std::find(areas.begin(), areas.end(), finding.area) == areas.end())
      areas.push_back(finding.area);

  std::string page(introduction);
  for (const std::string_view area : areas) {
    fmt::format_to(std::back_inserter(page), "\n## Area {}\n", area);
    for (const finding_definition &finding : entries.findings())
      if (finding.area == area)
        append_finding(page, entries, finding);
  }
  return page;
}

} // namespace gpucert
