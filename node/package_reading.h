// SPDX-License-Identifier: Apache-2.0
// Finds the package databases and the package logs of a node.
#pragma once

#include "node/package_database.h"
#include "node/package_history.h"
#include "node/reading.h"

#include <vector>

namespace gpucert {

class host;

/// All packages that the node's databases name, also those that are only half there. dpkg and pacman are read as files;
/// rpm's database is binary, so that the command rpm is asked, and only where `may_run_commands`.
fact<std::vector<installed_package>> read_packages(host &node, bool may_run_commands);

/// The transactions in the logs of apt, dnf, zypp and pacman, rotated ones included, oldest first within a log; the
/// steps of one automatic run are joined. dpkg.log is read only where apt's own history is missing.
fact<std::vector<package_transaction>> read_package_history(host &node);

} // namespace gpucert
