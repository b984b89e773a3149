// SPDX-License-Identifier: Apache-2.0
// The catalogue: what can be found on a node, what explains what, and what to do about it.
//
// It is data, findings.json and actions.json beside this file, built into the program. To add a finding, add an
// entry to findings.json, a line to tests/checks/permanent_ids.txt, and write docs/findings.md anew. An id is
// permanent: tickets, dashboards and suppression lists hold it, so that it may be superseded, never renamed.
//
// The order of findings.json means something: among findings of one severity that nothing present explains, the first
// in the file is named as the root cause. The most decisive cause stands first: what keeps a driver from existing or
// loading, then versions that differ, then single devices, then what programs see. Symptoms stand behind the causes of
// their severity, and what is only worth knowing stands last.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

enum class severity { info, warn, fail };

std::string_view name_of(severity level);

struct finding_definition {
  std::string id; // area.subject-property
  std::string area;
  gpucert::severity severity{};
  std::string title;
  std::string meaning;
  std::string evidence; // paths are those of a capture
  std::string action;   // id of an action_definition
  /// Findings which, when present too, leave nothing of this one but a consequence.
  std::vector<std::string> explained_by;
  std::string notes;
  /// It repeats what somebody saw, and is folded as soon as any cause is found.
  bool is_symptom = false;
  std::vector<int> xids; // kernel log error numbers that yield this finding
};

enum class reboot_helps { yes, no, only_after }; // only_after: the steps before it

std::string_view name_of(reboot_helps answer);

struct action_step {
  std::string text;
  std::optional<std::string> command; // one command line; what the reader fills in is in CAPITALS
  std::string why;
};

struct action_definition {
  std::string id;
  std::string title;
  std::vector<action_step> steps;
  gpucert::reboot_helps reboot_helps{};
};

/// The catalogue cannot be used. The message is one line which names the entry and the fault.
struct catalogue_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class catalogue {
public:
  /// Reads both texts and checks them against each other. Throws catalogue_error.
  catalogue(std::string_view findings_json, std::string_view actions_json);

  /// The one that was built into this program. Not for use before main() begins: the embedded texts need not exist yet.
  static const catalogue &built_in();

  /// In the order of the files.
  const std::vector<finding_definition> &findings() const { return findings_; }
  const std::vector<action_definition> &actions() const { return actions_; }

  /// nullptr where the id is unknown.
  const finding_definition *find(std::string_view id) const;
  const action_definition *action(std::string_view id) const;

  /// The finding that lists this Xid, nullptr where none does.
  const finding_definition *find_by_xid(int xid) const;

  /// True when a chain of explained_by leads from `effect` to `cause`, whether or not the links between are present.
  bool explains(std::string_view cause, std::string_view effect) const;

  /// True when `effect` must be folded because `cause` is present. A symptom gives way to any cause that can lead to
  /// it. Other findings give way only to a direct cause: half-configured packages can lead to a missing GPU through
  /// four links, but where none of those is present the GPU is missing for a reason of its own.
  bool folds(std::string_view cause, std::string_view effect) const;

  /// The ids out of `present` that nothing else in it folds, most severe first, then in catalogue order: the first is
  /// the root cause. Ids that the catalogue does not know are left out. Those in `beside` are known to explain nothing
  /// on this node, such as a half-configured package which is not the driver's: they fold nothing, and stand last among
  /// those of their severity.
  std::vector<std::string> unexplained(std::span<const std::string> present,
                                       std::span<const std::string> beside = {}) const;

private:
  std::optional<std::size_t> index_of(std::string_view id) const;
  void index_findings();
  void index_actions();
  void index_xids();
  void resolve_causes();

  std::vector<finding_definition> findings_;
  std::vector<action_definition> actions_;
  std::map<std::string, std::size_t, std::less<>> finding_index_;
  std::map<std::string, std::size_t, std::less<>> action_index_;
  std::map<int, std::size_t> xid_index_;
  std::vector<std::vector<bool>> direct_; // [effect][cause]
  std::vector<std::vector<bool>> any_;    // the transitive closure of direct_
};

} // namespace gpucert
