// SPDX-License-Identifier: Apache-2.0
// Which driver packages automatic upgrades may move, and which they may not.
#pragma once

#include "node/package_database.h"
#include "node/update_policy.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

struct node_evidence;

/// The installed packages of the driver; empty where the package list is not known.
std::vector<const installed_package *> installed_driver_packages(const node_evidence &node);

/// What keeps this package: "hold", "blacklist \"nvidia-\"", "pin ..."; empty where nothing does.
std::string protection_of(const installed_package &package, const update_policy &policy);
std::string dnf_protection_of(const installed_package &package, const update_policy &policy);

/// False where automatic upgrades do not look at the archive that this package came from.
bool is_in_reach(const installed_package &package, const update_policy &policy);

enum class policy_format { apt_configuration, apt_hold, apt_pins, dnf };

/// A configuration that keeps exactly these packages where they are.
std::string write_update_policy(const std::vector<const installed_package *> &packages, policy_format format);

} // namespace gpucert
