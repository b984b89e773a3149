// SPDX-License-Identifier: Apache-2.0
#include "checks/message_evidence.h"

#include <algorithm>

namespace gpucert {

std::vector<reported_message> messages_of(const node_evidence &node, std::initializer_list<message_topic> topics) {
  std::vector<reported_message> chosen;
  for (const reported_message &message : node.messages)
    if (std::find(topics.begin(), topics.end(), message.topic) != topics.end())
      chosen.push_back(message);
  return chosen;
}

finding &add_reported(judgement &result, std::string_view id, const std::vector<reported_message> &messages) {
  constexpr std::size_t most_shown = 4;
  finding &found = result.add(id).saw("{}", messages.front().text);
  for (std::size_t index = 0; index < std::min(messages.size(), most_shown); ++index)
    found.read_from(messages[index].source, messages[index].text);
  return found;
}

} // namespace gpucert
