// SPDX-License-Identifier: Apache-2.0
// The dynamic loader's cache: which file a program gets when it asks for libcuda.so.1.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// One entry of the cache.
struct ld_cache_entry {
  std::string soname; // libcuda.so.1
  std::string flags;  // "libc6,x86-64" as ldconfig -p prints it; empty where not known
  std::string path;   // as cached: usually a link
};

/// Parses the binary /etc/ld.so.cache, format "glibc-ld.so.cache1.1" (all glibc since 2.2; older ones hold it behind a
/// first part in the old format). Nothing when it has another form.
std::optional<std::vector<ld_cache_entry>> parse_ld_cache(std::string_view bytes);

/// Parses the output of `ldconfig -p`. Lines that are no entries are passed over.
std::vector<ld_cache_entry> parse_ldconfig_list(std::string_view text);

/// Writes entries as `ldconfig -p` prints them.
std::string format_ldconfig_list(const std::vector<ld_cache_entry> &entries);

} // namespace gpucert
