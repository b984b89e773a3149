// SPDX-License-Identifier: Apache-2.0
// Addresses of PCI devices as people and programs write them, in one form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpucert {

/// "0000:01:00.0" of "0000:01:00.0", "0000:01:00" (Xid lines), "01:00.0" (lspci), "00000000:01:00.0" (NVML) and
/// "PCI:0000:01:00": four digits of domain, lower case, function 0 where none is given. Whatever follows the address
/// is not looked at. Nothing when the text does not start with one.
std::optional<std::string> parse_pci_address(std::string_view text);

/// The first address with a domain anywhere in the text: "nvidia 0000:01:00.0: probe failed".
std::optional<std::string> find_pci_address(std::string_view text);

} // namespace gpucert
