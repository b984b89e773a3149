// SPDX-License-Identifier: Apache-2.0
#include "node/secure_boot.h"

#include "node/host.h"
#include "node/text_lines.h"

namespace gpucert {
namespace {

// The GUID is that of the UEFI specification's global variables.
constexpr const char *variable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr std::size_t value_at = 4;

fact<std::string> ask_efi(host &node) {
  const fact<std::string> bytes = node.peek_file(variable);
  if (!bytes.is_known())
    return bytes;
  if (bytes->size() <= value_at)
    return fact<std::string>::unknown(variable, "is shorter than an EFI variable");
  return fact<std::string>::known((*bytes)[value_at] == 1 ? "SecureBoot enabled\n" : "SecureBoot disabled\n", variable);
}

} // namespace

std::optional<bool> parse_secure_boot(std::string_view mokutil_text) {
  while (!mokutil_text.empty()) {
    const std::string_view line = take_line(mokutil_text);
    if (contains_ignoring_case(line, "secureboot enabled"))
      return true;
    if (contains_ignoring_case(line, "secureboot disabled") || contains_ignoring_case(line, "not supported") ||
        contains_ignoring_case(line, "doesn't support secure boot"))
      return false;
  }
  return std::nullopt;
}

fact<bool> read_secure_boot(host &node) {
  return node.read_document("commands/mokutil_sb_state.txt", [&] { return ask_efi(node); })
      .then(parse_secure_boot, "does not say whether Secure Boot is on");
}

} // namespace gpucert
