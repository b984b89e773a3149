// SPDX-License-Identifier: Apache-2.0
// What every check says of text that a person pasted.
#pragma once

#include "checks/stack_report.h"

#include <string_view>

namespace gpucert {

/// The text becomes a small capture, which every reader and check takes as it takes any other. Takes any bytes. Throws
/// unreadable_input where the capture cannot be written.
stack_report judge_pasted(std::string_view text);

} // namespace gpucert
