// SPDX-License-Identifier: Apache-2.0
// /var/log/apt/history.log, written by apt's dpkg progress code: see parse_apt_history.
#include "node/package_history.h"
#include "node/package_text.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

struct action_key {
  std::string_view key;
  package_action action;
};

constexpr std::array action_keys{
    action_key{"Install", package_action::install},     action_key{"Upgrade", package_action::upgrade},
    action_key{"Downgrade", package_action::downgrade}, action_key{"Reinstall", package_action::reinstall},
    action_key{"Remove", package_action::remove},       action_key{"Purge", package_action::purge},
};

/// Takes the text up to `separator` off `rest`, and the separator with it; all of it where there is none.
std::string_view take_until(std::string_view &rest, std::string_view separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at == rest.npos ? rest.size() : at + separator.size());
  return taken;
}

/// Puts the versions inside the parentheses where the action says they belong.
void set_versions(package_change &change, std::string_view inside) {
  const auto first = parse_package_version(without_blanks(take_until(inside, ",")));
  const auto second = parse_package_version(without_blanks(take_until(inside, ",")));
  switch (change.action) {
  case package_action::install:
    change.after = first;
    break;
  case package_action::upgrade:
  case package_action::downgrade:
    if (first && second) { // one alone does not say which it is
      change.before = first;
      change.after = second;
    }
    break;
  case package_action::reinstall:
    change.before = change.after = first;
    break;
  case package_action::remove:
  case package_action::purge:
    change.before = first;
    break;
  }
}

void parse_items(std::string_view items, package_action action, std::vector<package_change> &changes) {
  while (!items.empty()) {
    // A name ends at a blank or a comma: "name:arch (…), " by apt, "name, name ... (…)" by a person.
    const std::size_t end = items.find_first_of(" ,(");
    const auto name = parse_package_name(items.substr(0, end));
    items.remove_prefix(end == items.npos ? items.size() : end);
    std::string_view inside;
    if (items.starts_with(" (")) {
      items.remove_prefix(2);
      inside = take_until(items, ")");
    }
    take_until(items, ",");
    items.remove_prefix(std::min(items.find_first_not_of(' '), items.size()));
    if (!name)
      continue;
    package_change change{action, name->name, name->architecture, std::nullopt, std::nullopt};
    set_versions(change, inside);
    changes.push_back(std::move(change));
  }
}

bool is_key(std::string_view text) {
  constexpr std::array<std::string_view, 5> others{"Start-Date", "End-Date", "Commandline", "Requested-By", "Error"};
  return std::find(others.begin(), others.end(), text) != others.end() ||
         std::any_of(action_keys.begin(), action_keys.end(),
                     [&](const action_key &known) { return known.key == text; });
}

void take_line_of_stanza(package_transaction &stanza, std::string_view key, std::string_view value) {
  if (key == "Start-Date") {
    stanza.start = parse_log_time(value);
  } else if (key == "End-Date") {
    stanza.end = parse_log_time(value);
    if (stanza.outcome == transaction_outcome::interrupted)
      stanza.outcome = transaction_outcome::finished;
  } else if (key == "Commandline") {
    stanza.command_line = value;
  } else if (key == "Requested-By") {
    stanza.is_requested_by_person = true; // "name (1000)": the fact is kept, the name is not
  } else if (key == "Error") {
    stanza.error = value;
    stanza.outcome = transaction_outcome::failed;
  } else {
    for (const action_key &known : action_keys)
      if (known.key == key)
        parse_items(value, known.action, stanza.changes);
  }
}

} // namespace

std::vector<package_transaction> parse_apt_history(std::string_view text, std::string_view source) {
  std::vector<package_transaction> transactions;
  bool is_inside = false;
  while (const auto line = next_line(text)) {
    if (line->empty())
      is_inside = false;
    const std::size_t colon = line->find(": ");
    if (colon == line->npos || !is_key(line->substr(0, colon)))
      continue;
    const std::string_view key = line->substr(0, colon);
    // A stanza whose writer died has no blank line behind it, and one at the cut front of a text no Start-Date.
    if (!is_inside || key == "Start-Date") {
      package_transaction &stanza = transactions.emplace_back();
      stanza.source = source;
      stanza.outcome = transaction_outcome::interrupted; // until End-Date
      is_inside = true;
    }
    take_line_of_stanza(transactions.back(), key, without_blanks(line->substr(colon + 2)));
  }
  return transactions;
}

} // namespace gpucert
