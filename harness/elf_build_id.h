// SPDX-License-Identifier: Apache-2.0
// The GNU build id of an ELF file: the linker's digest of its contents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// The build id in hexadecimal from the contents of note segments, one note after the other (4-byte aligned).
std::optional<std::string> parse_build_id(std::string_view notes);

/// The build id of an open file, by its program headers (section headers may be stripped). Nothing when there is none,
/// or when the file is no ELF file of 64 bits in this machine's byte order. Reads a few hundred bytes: libcublasLt has
/// 500 MB.
std::optional<std::string> read_build_id(int file);

} // namespace gpucert
