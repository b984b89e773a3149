// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"

#include "node/package_text.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

/// Programs that timers and boot services start to upgrade packages.
constexpr std::array<std::string_view, 6> unattended_programs{
    "unattended-upgrade", "unattended-upgrades", // apt-daily-upgrade.timer
    "dnf-automatic",      "yum-cron",
    "pk-offline-update",  "packagekit-offline", // PackageKit at boot
};

std::string_view take_program(std::string_view &command_line) {
  std::string_view word = take_word(command_line);
  while (word.starts_with('\'') || word.starts_with('"')) // zypp quotes each word
    word.remove_prefix(1);
  while (word.ends_with('\'') || word.ends_with('"'))
    word.remove_suffix(1);
  if (const std::size_t slash = word.rfind('/'); slash != word.npos)
    word.remove_prefix(slash + 1);
  return word;
}

bool is_interpreter(std::string_view program) {
  return program.starts_with("python") || program == "sh" || program == "bash";
}

bool is_unattended_command(std::string_view command_line) {
  std::string_view program = take_program(command_line);
  if (is_interpreter(program))
    do
      program = take_program(command_line);
    while (program.starts_with('-'));
  if (program == "dnf" || program == "dnf5")
    return take_program(command_line) == "automatic";
  return std::find(unattended_programs.begin(), unattended_programs.end(), program) != unattended_programs.end();
}

/// Of several moves the one to the greatest release: leftovers of an older branch may be upgraded beside the driver.
void keep_greater(std::optional<release_move> &best, release_move move) {
  if (!best || *best->after < *move.after)
    best = std::move(move);
}

int severity(transaction_outcome outcome) {
  switch (outcome) {
  case transaction_outcome::finished:
    return 0;
  case transaction_outcome::unstated:
    return 1;
  case transaction_outcome::interrupted:
    return 2;
  case transaction_outcome::failed:
    return 3;
  }
  return 3;
}

bool is_one_run(const package_transaction &a, const package_transaction &b, std::chrono::seconds gap) {
  if (!a.is_unattended() || !b.is_unattended() || a.source != b.source || a.command_line != b.command_line)
    return false;
  const auto &end = a.end ? a.end : a.start;
  if (!end || !b.start)
    return false;
  const auto pause = b.start->local - end->local;
  return pause <= gap && pause >= -gap; // negative: the clock was set back
}

void append(package_transaction &run, package_transaction &&next) {
  std::move(next.changes.begin(), next.changes.end(), std::back_inserter(run.changes));
  run.end = next.end ? std::move(next.end) : std::move(next.start);
  if (!run.error)
    run.error = std::move(next.error);
  if (severity(next.outcome) > severity(run.outcome))
    run.outcome = next.outcome;
}

} // namespace

std::string_view to_string(package_action action) {
  constexpr std::array<std::string_view, 6> words{"install", "upgrade", "downgrade", "reinstall", "remove", "purge"};
  return words[static_cast<std::size_t>(action)];
}

std::optional<driver_release> package_change::release_before() const {
  return before ? driver_release_of(name, *before) : std::nullopt;
}

std::optional<driver_release> package_change::release_after() const {
  return after ? driver_release_of(name, *after) : std::nullopt;
}

bool package_transaction::is_unattended() const {
  return command_line && !is_requested_by_person && is_unattended_command(*command_line);
}

bool package_transaction::touches(driver_part part) const {
  return std::any_of(changes.begin(), changes.end(), [&](const package_change &change) {
    return change.action != package_action::reinstall && classify_driver_package(change.name) == part;
  });
}

bool package_transaction::changes_driver() const {
  return std::any_of(changes.begin(), changes.end(), [](const package_change &change) {
    const auto part = classify_driver_package(change.name);
    return change.action != package_action::reinstall && part && *part != driver_part::fabric_manager;
  });
}

std::optional<release_move> package_transaction::move_of(driver_part part) const {
  std::optional<release_move> moved;
  std::optional<driver_release> removed, installed;
  for (const package_change &change : changes) {
    if (classify_driver_package(change.name) != part)
      continue;
    auto from = change.release_before();
    auto to = change.release_after();
    if (from && to) {
      if (*from != *to)
        keep_greater(moved, {std::move(from), std::move(to)});
    } else if (from && (!removed || *removed < *from)) {
      removed = std::move(from);
    } else if (to && (!installed || *installed < *to)) {
      installed = std::move(to);
    }
  }
  // A new branch has new package names in Ubuntu: one set is removed, another installed. It may come beside an upgrade
  // of leftovers, and an upgrade beside the first package of a new kind.
  if (moved && (!installed || *installed <= *moved->after))
    return moved;
  if (removed != installed)
    return release_move{std::move(removed), std::move(installed)};
  return std::nullopt;
}

std::optional<release_move> package_transaction::driver_move() const {
  for (const driver_part part :
       {driver_part::userspace, driver_part::metapackage, driver_part::kernel_module, driver_part::module_source})
    if (auto move = move_of(part))
      return move;
  return std::nullopt;
}

std::vector<package_transaction> group_transactions(std::vector<package_transaction> transactions,
                                                    std::chrono::seconds gap) {
  std::vector<package_transaction> runs;
  for (package_transaction &next : transactions) {
    if (!runs.empty() && is_one_run(runs.back(), next, gap))
      append(runs.back(), std::move(next));
    else
      runs.push_back(std::move(next));
  }
  return runs;
}

} // namespace gpucert
