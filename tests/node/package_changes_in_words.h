// SPDX-License-Identifier: Apache-2.0
// Changes as one line of text each, so that a test's table shows them as a log would.
#pragma once

#include "node/package_history.h"

#include <string>
#include <vector>

namespace gpucert {

/// "upgrade name:arch before > after", with "-" for what is absent.
inline std::vector<std::string> in_words(const std::vector<package_change> &changes) {
  std::vector<std::string> words;
  for (const package_change &change : changes) {
    std::string line{to_string(change.action)};
    line += " " + change.name;
    if (change.architecture)
      line += ":" + *change.architecture;
    line += " " + (change.before ? change.before->text : "-") + " > " + (change.after ? change.after->text : "-");
    words.push_back(std::move(line));
  }
  return words;
}

inline std::string in_words(const std::optional<release_move> &move) {
  if (!move)
    return "none";
  return (move->before ? move->before->text() : "-") + " > " + (move->after ? move->after->text() : "-");
}

} // namespace gpucert
