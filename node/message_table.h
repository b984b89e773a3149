// SPDX-License-Identifier: Apache-2.0
// The words by which messages are known, as data: one row a wording. To add a message, add a row.
#pragma once

#include "node/reported_message.h"

#include <array>
#include <span>
#include <string_view>

namespace gpucert {

/// A line is this message when it holds every part of `all_of` (empty ones apart) and not `none_of`. Letters are
/// compared without case: all words here are in lower case.
struct message_row {
  message_topic topic;
  std::array<std::string_view, 3> all_of;
  std::string_view none_of = {};
};
std::span<const message_row> message_rows();

/// Error numbers of CUDA that say something of the driver stack, in the driver and the runtime API alike.
struct cuda_error_row {
  int number;
  message_topic topic;
};
std::span<const cuda_error_row> cuda_error_rows();

} // namespace gpucert
