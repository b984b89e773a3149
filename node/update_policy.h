// SPDX-License-Identifier: Apache-2.0
// What the configuration of a node lets automatic upgrades do, and what keeps packages from them.
#pragma once

#include "node/reading.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// One statement of an apt configuration: "Unattended-Upgrade::Package-Blacklist::" and "nvidia-". Names compare
/// without case; one that ends in "::" adds to a list.
struct apt_option {
  std::string name; // lower case
  std::string value;
  std::string source; // the file
};

/// The effective configuration of files in apt's order.
class apt_configuration {
public:
  /// apt's own syntax: nested blocks, lists, #clear, and the comments //, # and /* */. What is malformed ends the file,
  /// as it makes apt stop.
  void add_file(std::string_view text, std::string_view source);

  std::optional<std::string> value(std::string_view name) const;
  std::vector<apt_option> list(std::string_view name) const;

private:
  void enter(std::string name, std::string value, std::string_view source);
  void clear(std::string_view name);

  std::vector<apt_option> options_;
};

/// True for the names in apt.conf.d and preferences.d that apt reads: without a dot, or with ".conf" (".pref").
bool is_read_by_apt(std::string_view file_name, std::string_view extension);

/// A record of apt's preferences.
struct apt_pin {
  std::vector<std::string> packages; // names, globs or /regex/
  std::string pin;                   // "version 535.*", "release o=NVIDIA", "origin ..."
  int priority = 0;
  std::string source;
};

std::vector<apt_pin> parse_apt_preferences(std::string_view text, std::string_view source);

struct update_policy {
  // apt with unattended-upgrades. Absent where the node has no such configuration.
  std::optional<bool> apt_upgrades_itself; // both settings of APT::Periodic are on
  std::string apt_source;                  // the file that switches it on
  std::vector<apt_option> blacklist;       // Unattended-Upgrade::Package-Blacklist
  std::vector<apt_option> whitelist;       // Package-Whitelist; with strict, only these are upgraded
  bool is_whitelist_strict = false;
  std::vector<apt_option> origins; // Allowed-Origins and Origins-Pattern
  std::vector<apt_pin> pins;

  std::optional<bool> dnf_upgrades_itself; // dnf-automatic with apply_updates
  std::string dnf_source;
  std::vector<std::string> dnf_excludes; // globs, from dnf.conf, its repositories and automatic.conf
  std::vector<std::string> dnf_locks;    // names or NEVRA globs of versionlock.list
};

/// `key = value` of an INI file such as dnf.conf; the last one in the section, any section for an empty name. A value
/// goes on in lines that begin with a blank.
std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key);

/// Names of versionlock.list ("nvidia-driver-3:580.65.06-1.*"), and of the TOML of dnf5.
std::vector<std::string> parse_versionlock(std::string_view text);

update_policy read_update_policy(host &node);

} // namespace gpucert
