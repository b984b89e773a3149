// SPDX-License-Identifier: Apache-2.0
// A report for a person at a terminal: the root cause first, then what to do, then the evidence.
#pragma once

#include "certify/report.h"

#include <string>

namespace gpucert {

class text_page;

std::string text_view(const report &run);

/// The action of a diagnosis with its numbered steps.
void write_action(text_page &out, const diagnosis &conclusion);

} // namespace gpucert
