// SPDX-License-Identifier: Apache-2.0
// What the package logs of a node say was changed, and when: apt, dpkg, dnf, zypp, pacman. One .cpp for each.
//
// Fields that name persons (apt: Requested-By, zypp: user@host) are never kept. Command lines are kept as they were
// logged, and a path in one can hold a user's name: whoever stores them removes it, as from all text.
#pragma once

#include "node/driver_package.h"
#include "node/driver_version.h"
#include "node/log_time.h"
#include "node/package_database.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

enum class package_action { install, upgrade, downgrade, reinstall, remove, purge };

std::string_view to_string(package_action action);

struct package_change {
  package_action action; // in the words of the log: dpkg.log says upgrade, and zypp install, whatever the direction
  std::string name;
  std::optional<std::string> architecture;
  std::optional<package_version> before;
  std::optional<package_version> after;

  std::optional<driver_release> release_before() const;
  std::optional<driver_release> release_after() const;
};

enum class transaction_outcome {
  finished,
  failed,      // the package tool ended with an error; an error of a hook alone leaves `finished` and sets `error`
  interrupted, // it began and did not end: power loss, a killed apt; or it is running at this moment
  unstated,    // dpkg, dnf and zypp log no end
};

/// A driver moved from one release to another; one side is absent where it was installed or removed.
struct release_move {
  std::optional<driver_release> before;
  std::optional<driver_release> after;

  friend bool operator==(const release_move &, const release_move &) = default;
};

struct package_transaction {
  std::string source; // the log, as the caller names it
  std::optional<log_time> start;
  std::optional<log_time> end; // of its last line, where the log states no end
  std::optional<std::string> command_line;
  std::optional<std::string> error; // the first one that the log states
  bool is_requested_by_person = false;
  transaction_outcome outcome = transaction_outcome::unstated;
  std::vector<package_change> changes;

  /// True when a timer ran it: the program is one of those that timers start, and the log names no person who did
  /// (`sudo unattended-upgrade` is a person). False means "not known to be automatic". A list of what was *installed*
  /// may hold "unattended-upgrades", so only the program counts.
  bool is_unattended() const;

  /// True when a part of the driver was changed, Fabric Manager apart: it is updated by itself.
  bool changes_driver() const;
  bool touches(driver_part part) const;

  /// How the driver's release moved; absent where it did not, or where no version says so (Ubuntu's prebuilt modules).
  /// Libraries and tools count first, then metapackages, then modules. Firmware never: its packages have the release in
  /// their names, so that old and new come and go by themselves.
  std::optional<release_move> driver_move() const;
  std::optional<release_move> move_of(driver_part part) const;
};

/// /var/log/apt/history.log. Stanzas of "Key: value"; times local, with two blanks, without zone. The stanza is written
/// before dpkg starts, its End-Date afterwards: without one it was interrupted. Commandline may be missing.
/// Items are "name:arch (old, new)", for Install "name:arch (new, automatic)", joined by ", ". People shorten such text
/// to "a, b ... (1 -> 2)": then names are kept, versions not.
std::vector<package_transaction> parse_apt_history(std::string_view text, std::string_view source);

/// /var/log/dpkg.log. One line an event, local time. apt runs dpkg several times for one transaction; runs that follow
/// each other within a minute are taken as one.
std::vector<package_transaction> parse_dpkg_log(std::string_view text, std::string_view source);

/// The last state of each package in dpkg.log, in order of name. Every healthy upgrade passes through half-installed,
/// unpacked and half-configured, so only the last one speaks.
std::vector<installed_package> parse_dpkg_log_states(std::string_view text);

/// /var/log/dnf.rpm.log. "Upgrade:" is the new package and "Upgraded:" the old. Each dnf process begins with
/// "--- logging initialized ---", also one that changes nothing. The log has no command lines.
std::vector<package_transaction> parse_dnf_log(std::string_view text, std::string_view source);

/// /var/log/zypp/history. Fields between '|', local time. "install" is also an upgrade, and the version before is not
/// stated: it is taken from the package's last line in the same text, kernels apart, which stay side by side.
std::vector<package_transaction> parse_zypp_history(std::string_view text, std::string_view source);

/// /var/log/pacman.log. "[time] [ALPM] upgraded name (old -> new)". Hooks run after "transaction completed", and errors
/// of theirs (DKMS, mkinitcpio) belong to that transaction.
std::vector<package_transaction> parse_pacman_log(std::string_view text, std::string_view source);

/// Joins the stanzas of one automatic run: unattended-upgrade calls apt in small steps, so that one upgrade of the
/// driver becomes three stanzas in two minutes. Joined are neighbours in `transactions` of one log with one command
/// line of which both are unattended and the second starts within `gap` of the end of the first. Their changes stand in
/// order, and the worst outcome counts.
std::vector<package_transaction> group_transactions(std::vector<package_transaction> transactions,
                                                    std::chrono::seconds gap = std::chrono::minutes{10});

} // namespace gpucert
