// SPDX-License-Identifier: Apache-2.0
// gpucert list: what this program knows: its checks, and the catalogue of findings and actions.
#include "certify/command_line.h"
#include "certify/json_text.h"
#include "certify/standard_output.h"
#include "certify/verb.h"
#include "checks/catalogue.h"
#include "checks/catalogue_page.h"
#include "checks/check.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

namespace gpucert {
namespace {

using json = nlohmann::ordered_json;

/// One row of a list: an id, a word in the middle, a title.
struct row {
  std::string id, kind, title;
};

std::vector<row> rows_of(const std::string &subject) {
  std::vector<row> rows;
  if (subject == "checks")
    for (const check &unit : all_checks())
      rows.push_back({std::string(unit.name), unit.decides ? "deciding" : "", std::string(unit.summary)});
  else if (subject == "findings")
    for (const finding_definition &known : catalogue::built_in().findings())
      rows.push_back({known.id, std::string(name_of(known.severity)), known.title});
  else
    for (const action_definition &known : catalogue::built_in().actions())
      rows.push_back({known.id, "", known.title});
  return rows;
}

std::string as_text(const std::vector<row> &rows) {
  std::string text;
  for (const row &one : rows)
    text += fmt::format("{:<46} {:<9} {}\n", one.id, one.kind, one.title);
  return text;
}

std::string as_json(const std::string &subject, const std::vector<row> &rows) {
  json list = json::array();
  for (const row &one : rows) {
    json entry{{"id", one.id}, {"title", one.title}};
    if (subject == "findings")
      entry["severity"] = one.kind;
    if (subject == "checks")
      entry["decides"] = !one.kind.empty();
    list.push_back(std::move(entry));
  }
  return json_text({{subject, std::move(list)}});
}

exit_code run_list(const std::vector<std::string> &arguments) {
  command_line line("list");
  std::string subject, format = "text";
  line.options().add_option("subject", subject)->required()->check(CLI::IsMember({"checks", "findings", "actions"}));
  add_format_option(line.options(), format, {"text", "json", "markdown"});
  if (!line.parse(arguments))
    return exit_code::pass;
  if (format == "markdown" && subject != "findings")
    throw wrong_input("list: only findings have a markdown page", "use --format text or json");
  print(format == "markdown" ? findings_page(catalogue::built_in())
        : format == "json"   ? as_json(subject, rows_of(subject))
                             : as_text(rows_of(subject)));
  return exit_code::pass;
}

const verb_registration registration{{"list", run_list}};

} // namespace
} // namespace gpucert
