// SPDX-License-Identifier: Apache-2.0
// Takes out of a capture what belongs to a person or to one machine: it is made to be attached to a public ticket.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// Replaces host names, user names, serial numbers, addresses and UUIDs in the files of one capture. GPUs keep their
/// identity inside the capture: the first UUID becomes GPU-0, the second GPU-1.
class personal_data {
public:
  /// `host_names`: the node's own names, long and short. Those that name nobody ("localhost", "ubuntu") are left alone.
  explicit personal_data(std::vector<std::string> host_names);

  /// `path` is the place in the capture. Package databases and logs hold four-part versions (5.15.0.105) that look like
  /// addresses, so addresses are only looked for elsewhere.
  std::string remove(std::string_view path, std::string_view text);

private:
  std::string remove_from_line(std::string_view line, std::string_view path);
  std::string replace_uuids(std::string_view line);

  std::vector<std::string> host_names_; // the longest first
  std::map<std::string, std::string, std::less<>> uuids_;
};

} // namespace gpucert
