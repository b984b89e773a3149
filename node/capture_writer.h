// SPDX-License-Identifier: Apache-2.0
// Writes a capture: all that was read of a node, as files, without personal data.
#pragma once

#include "node/host.h"
#include "node/personal_data.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace gpucert {

/// Records into a folder beside `folder`, which finish() renames into place: a capture is there in full or not at all.
/// Compressed logs are stored compressed; their text is cleaned before that.
class capture_writer : public recorder {
public:
  /// Throws wrong_input when `folder` exists and is not empty, unreadable_input when it cannot be made.
  capture_writer(std::filesystem::path folder, personal_data personal);
  ~capture_writer() override;
  capture_writer(const capture_writer &) = delete;
  capture_writer &operator=(const capture_writer &) = delete;

  void file(std::string_view path, std::string_view text) override;
  void document(std::string_view name, std::string_view text) override;
  void folder(std::string_view path) override;

  /// Makes the capture durable and puts it in place. Returns the number of its files.
  std::size_t finish();

private:
  void store(const std::string &name, std::string_view text);

  std::filesystem::path target_;
  std::filesystem::path partial_; // empty once it is in place
  personal_data personal_;
  std::set<std::string> stored_;
};

} // namespace gpucert
