// SPDX-License-Identifier: Apache-2.0
// The way back to the driver that was there before, where that may be the answer to a fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct node_evidence;

/// A package in the version from before, and where it can be had: a file, or a list of apt. Absent: nowhere that
/// anybody looked.
struct returning_package {
  std::string name;
  std::string version;
  std::optional<std::string> where;
};

struct way_back {
  std::string release; // 535.161.07
  std::string because; // which run replaced it
  std::vector<returning_package> packages;
  std::optional<bool> is_obtainable; // all of them; nothing: nobody can tell
  std::string obtainable_because;
  std::vector<std::string> commands;
  std::optional<bool> needs_reboot; // false: the module in memory is still that of this release
  std::string next_boot;            // what a reboot would load after that
};

/// True for a root cause that the old driver would end.
bool may_go_back_from(std::string_view root_cause);

/// Pure. Nothing where no log shows which release was there before, or the libraries are no longer those that the
/// logged run brought.
std::optional<way_back> find_way_back(const node_evidence &node);

} // namespace gpucert
