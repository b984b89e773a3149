// SPDX-License-Identifier: Apache-2.0
// Findings that rest on what a program said.
#pragma once

#include "checks/check.h"
#include "node/evidence.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace gpucert {

/// The messages of these topics, in the order of their appearance.
std::vector<reported_message> messages_of(const node_evidence &node, std::initializer_list<message_topic> topics);

/// A finding that saw the first of `messages` (there is one at least) and read the next few as well.
finding &add_reported(judgement &result, std::string_view id, const std::vector<reported_message> &messages);

} // namespace gpucert
