// SPDX-License-Identifier: Apache-2.0
// A report for a person at a terminal: the root cause first, then what to do, then the evidence.
#pragma once

#include "certify/report.h"

#include <string>
#include <string_view>

namespace gpucert {

std::string text_view(const report &run);

/// Text of a node, safe for a terminal: control characters, escape sequences included, are written out as \x1b.
std::string escape_for_terminal(std::string_view text);

} // namespace gpucert
