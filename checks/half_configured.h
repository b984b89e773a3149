// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpucert {

struct node_evidence;

/// True when an unfinished package is the driver's or the running kernel's, so that it can explain a version difference
/// or an absent module. Else the finding stands beside the root cause and explains nothing.
bool half_configured_explains(const node_evidence &node);

} // namespace gpucert
