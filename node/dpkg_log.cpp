// SPDX-License-Identifier: Apache-2.0
// /var/log/dpkg.log: see parse_dpkg_log. Its lines are listed in dpkg(1), "/var/log/dpkg.log".
#include "node/package_history.h"
#include "node/package_text.h"

#include <map>

namespace gpucert {
namespace {

struct dpkg_line {
  log_time time;
  std::string_view verb;
  std::string_view rest;
};

std::optional<dpkg_line> parse_dpkg_line(std::string_view line) {
  constexpr std::size_t stamp = std::string_view{"2022-05-19 06:04:29"}.size();
  auto time = parse_log_time(line.substr(0, stamp));
  if (!time || line.size() < stamp)
    return std::nullopt;
  std::string_view rest = line.substr(stamp);
  const std::string_view verb = take_word(rest);
  return dpkg_line{*std::move(time), verb, rest};
}

/// "upgrade nvidia-driver-510:amd64 510.60.02-… 510.73.05-…"; the side that is not there is "<none>".
std::optional<package_change> parse_change(std::string_view verb, std::string_view rest) {
  package_change change{package_action::install, {}, {}, {}, {}};
  if (verb == "upgrade")
    change.action = package_action::upgrade;
  else if (verb == "remove")
    change.action = package_action::remove;
  else if (verb == "purge")
    change.action = package_action::purge;
  else if (verb != "install")
    return std::nullopt;
  const auto name = parse_package_name(take_word(rest));
  if (!name)
    return std::nullopt;
  change.name = name->name;
  change.architecture = name->architecture;
  change.before = parse_package_version(take_word(rest));
  change.after = parse_package_version(take_word(rest));
  return change;
}

} // namespace

std::vector<package_transaction> parse_dpkg_log(std::string_view text, std::string_view source) {
  // Between two dpkg runs of one apt there are seconds; a long DKMS build is no pause, for it happens inside a run.
  constexpr std::chrono::minutes pause_between_transactions{1};
  std::vector<package_transaction> transactions;
  while (const auto text_line = next_line(text)) {
    auto line = parse_dpkg_line(*text_line);
    if (!line)
      continue;
    const bool is_startup = line->verb == "startup";
    if (transactions.empty() ||
        (is_startup && line->time.local - transactions.back().end->local > pause_between_transactions)) {
      transactions.emplace_back().source = source;
      transactions.back().start = line->time;
    }
    package_transaction &current = transactions.back();
    current.end = std::move(line->time);
    if (auto change = parse_change(line->verb, line->rest))
      current.changes.push_back(*std::move(change));
  }
  std::erase_if(transactions, [](const auto &transaction) { return transaction.changes.empty(); });
  return transactions;
}

std::vector<installed_package> parse_dpkg_log_states(std::string_view text) {
  std::map<std::string_view, installed_package> packages; // by name and architecture, as written
  while (const auto text_line = next_line(text)) {
    auto line = parse_dpkg_line(*text_line);
    if (!line || line->verb != "status")
      continue;
    const auto state = parse_package_state(take_word(line->rest));
    const std::string_view written = take_word(line->rest);
    auto name = parse_package_name(written);
    if (!state || !name)
      continue;
    installed_package &package = packages[written];
    package.name = std::move(name->name);
    package.architecture = std::move(name->architecture);
    package.version = parse_package_version(take_word(line->rest));
    package.state = *state;
  }
  std::vector<installed_package> sorted;
  for (auto &[written, package] : packages)
    sorted.push_back(std::move(package));
  return sorted;
}

} // namespace gpucert
