// SPDX-License-Identifier: Apache-2.0
// Files that are there in full or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpucert {

/// Throws wrong_input when `path` is a folder, or lies in none: to be asked before the work whose result goes there.
void require_place_for_file(const std::filesystem::path &path);

/// Writes `text` to a temporary file beside `path`, fsyncs it, renames it into place and fsyncs the folder: a power cut
/// leaves the old file or the new one. A link stays, and the file that it leads to is replaced. What exists and is no
/// plain file (a pipe, a terminal), or is open here already (/dev/stdout), is written to directly.
/// Throws unreadable_input, and leaves nothing behind, when that is not possible.
void write_atomically(const std::filesystem::path &path, std::string_view text);

/// The text of a whole file. Throws wrong_input when there is none, unreadable_input when it cannot be read or has more
/// than `limit_bytes`.
std::string read_whole_file(const std::filesystem::path &path, std::size_t limit_bytes);

} // namespace gpucert
