// SPDX-License-Identifier: Apache-2.0
// The database of rpm, as `rpm -qa` prints it.
#include "node/package_database.h"
#include "node/package_text.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

// Architectures of NVIDIA's and the distributions' repositories. "1.el9" ends like an architecture but is none.
constexpr std::array<std::string_view, 14> architectures{"x86_64",  "noarch", "aarch64", "i386",  "i486",
                                                         "i586",    "i686",   "ppc64le", "s390x", "armv7hl",
                                                         "riscv64", "sbsa",   "src",     "(none)"};

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

/// Takes what follows the last `separator` off the end; absent, and nothing taken, where there is none.
std::optional<std::string_view> take_last(std::string_view &rest, char separator) {
  const std::size_t at = rest.rfind(separator);
  if (at == rest.npos)
    return std::nullopt;
  const std::string_view last = rest.substr(at + 1);
  rest = rest.substr(0, at);
  return last;
}

} // namespace

std::optional<installed_package> parse_rpm_package(std::string_view nevra) {
  installed_package package;
  std::string_view rest = nevra;
  if (const auto last = take_last(rest, '.');
      last && std::find(architectures.begin(), architectures.end(), *last) != architectures.end())
    package.architecture = *last;
  else
    rest = nevra;

  const auto release = take_last(rest, '-');
  const auto version = take_last(rest, '-');
  if (!release || !version)
    return std::nullopt;
  std::string full_version;
  // yum's log: "3:akmod-nvidia-..."
  if (const std::size_t colon = rest.find(':'); is_number(rest.substr(0, colon)) && colon != rest.npos) {
    full_version = rest.substr(0, colon + 1);
    rest.remove_prefix(colon + 1);
  }
  full_version.append(*version).append("-").append(*release);

  const auto name = parse_package_name(rest);
  package.version = parse_package_version(full_version);
  if (!name || name->architecture || !package.version)
    return std::nullopt;
  package.name = name->name;
  return package;
}

std::vector<installed_package> parse_rpm_list(std::string_view text) {
  std::vector<installed_package> packages;
  while (const auto line = next_line(text))
    if (auto package = parse_rpm_package(without_blanks(*line)))
      packages.push_back(*std::move(package));
  return packages;
}

} // namespace gpucert
