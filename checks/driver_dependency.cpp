// SPDX-License-Identifier: Apache-2.0
// Check driver_dependency: did the driver move because something else was installed or removed?
//
// A toolkit or a program may ask for libraries of a branch by name; the package manager then exchanges the driver, and
// who typed the command has not read the list. A general upgrade is a decision, and so is a named driver package. A
// change that the loaded module has followed is history.
#include "checks/check.h"
#include "checks/version_claims.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

constexpr std::array<std::string_view, 5> installing{"install", "remove", "autoremove", "purge", "in"};

/// "libnvidia-compute-550:amd64=550.54.15-0ubuntu1" without what stands behind the name.
std::string_view package_name_in(std::string_view word) {
  while (word.starts_with('\'') || word.starts_with('"'))
    word.remove_prefix(1);
  return word.substr(0, word.find_first_of(":=/'\"+"));
}

/// A word that means the driver: a package of it, a pattern, or a file whose name has it.
bool means_driver(std::string_view word) {
  if (word.starts_with('-'))
    return false;
  const bool is_pattern_or_file = word.find_first_of("*?^$[/") != word.npos;
  return is_pattern_or_file ? contains_ignoring_case(word, "nvidia") || contains_ignoring_case(word, "libcuda")
                            : classify_driver_package(package_name_in(word)).has_value();
}

/// True when the command installs or removes packages, and names none of the driver.
bool names_only_others(std::string_view command_line) {
  bool installs = false, names_one = false;
  take_word(command_line); // the program
  while (true) {
    const std::string_view word = take_word(command_line);
    if (word.empty())
      return installs && names_one;
    if (means_driver(word))
      return false;
    if (!installs)
      installs = std::find(installing.begin(), installing.end(), package_name_in(word)) != installing.end();
    else if (!word.starts_with('-'))
      names_one = true;
  }
}

bool is_followed(const node_evidence &node, const release_move &move) {
  if (const auto loaded = claim_of_loaded_module(node))
    return move.after && loaded->release == *move.after;
  return !reported_mismatch(node);
}

void judge_driver_dependency(const node_evidence &node, const expectations &, judgement &result) {
  if (node.platform.has_gpu_off_pci() || !node.history.is_known())
    return; // check package_changes says that the history is not known
  const package_transaction *latest = nullptr;
  for (const package_transaction &transaction : *node.history)
    if (transaction.changes_driver() && transaction.driver_move())
      latest = &transaction;
  if (latest == nullptr || latest->is_unattended() || !latest->command_line ||
      !names_only_others(*latest->command_line))
    return;
  const std::optional<release_move> move = latest->driver_move();
  if (is_followed(node, *move))
    return;
  const std::string text = fmt::format("{}: {}: driver {} -> {}", latest->start ? latest->start->text : "time unknown",
                                       *latest->command_line, move->before ? move->before->text() : "none",
                                       move->after ? move->after->text() : "none");
  result.add("packages.dependency-changed-driver")
      .saw("{}", text)
      .expected("a driver that only commands which name it change")
      .read_from(latest->source, text);
}

const check_registration registration{{"driver_dependency",
                                       "did the driver move because another package was installed?", false,
                                       judge_driver_dependency}};

} // namespace
} // namespace gpucert
