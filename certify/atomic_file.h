// SPDX-License-Identifier: Apache-2.0
// Files that are there in full or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace gpucert {

/// Writes `text` to a temporary file beside `path`, fsyncs it, renames it into place and fsyncs the folder: a power cut
/// leaves the old file or the new one. What exists and is no plain file (a pipe, a terminal) is written to directly.
/// Throws unreadable_input, and leaves nothing behind, when that is not possible.
void write_atomically(const std::filesystem::path &path, std::string_view text);

/// The text of a whole file. Throws wrong_input when there is none, unreadable_input when it cannot be read.
std::string read_whole_file(const std::filesystem::path &path);

} // namespace gpucert
