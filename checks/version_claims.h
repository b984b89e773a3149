// SPDX-License-Identifier: Apache-2.0
// What a node says about the release of each part of the driver, by whichever witness says it. A node rarely has all
// witnesses: a capture may hold just a log line, a broken node no NVML.
#pragma once

#include "node/driver_package.h"
#include "node/driver_version.h"
#include "node/evidence.h"

#include <optional>
#include <string>

namespace gpucert {

/// One statement about one part: the release, and who said so.
struct version_claim {
  driver_release release;
  std::string source;
  std::string text;    // as it stood there
  bool is_cut = false; // the first two numbers only, as NVML's own message gives them
};

/// The module in memory: /proc or /sys, else what the module said of itself in its latest API mismatch.
std::optional<version_claim> claim_of_loaded_module(const node_evidence &node);

/// The libraries that a new process would load: their file names, else their packages, else the client of an API
/// mismatch that is newer than the module (an older one is a process that outlived an upgrade), else what NVML said of
/// itself (a cut claim).
std::optional<version_claim> claim_of_userspace(const node_evidence &node);

/// The module of the running kernel on disk.
std::optional<version_claim> claim_of_module_on_disk(const node_evidence &node);

/// The newest release among installed packages of one part.
std::optional<version_claim> claim_of_packages(const node_evidence &node, driver_part part);

/// Whether two claims may mean one release: they are equal, or one was cut and agrees as far as it goes ("580.159" and
/// 580.159.03). A claim that was not cut is exact: 575.64 and 575.64.03 are two releases.
bool may_be_same(const version_claim &a, const version_claim &b);

/// What a tool or NVML itself said about a driver/library mismatch; nothing where none did.
std::optional<symptom> reported_mismatch(const node_evidence &node);

/// Whether any part of the driver is on the disk: libraries, packages, a module. Nothing where nobody knows.
std::optional<bool> has_driver(const node_evidence &node);

} // namespace gpucert
