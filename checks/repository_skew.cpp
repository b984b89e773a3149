// SPDX-License-Identifier: Apache-2.0
// Check repository_skew: do the repositories offer the module and the libraries of one release?
//
// They are published by different people at different times. Only the package manager knows, and it says so when it
// refuses a transaction: what somebody kept of its output is all there is, for a node does not store it.
#include "checks/check.h"
#include "node/driver_package.h"
#include "node/evidence.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

// libsolv (dnf, zypper), yum and apt. "Kept back" is not among them: phased updates keep back what is in order.
constexpr std::array<std::string_view, 9> refusals{"nothing provides",
                                                   "none of the providers can be installed",
                                                   "but it is not going to",
                                                   "conflicting requests",
                                                   "but it is not installable",
                                                   "is to be installed",
                                                   "cannot install both",
                                                   "has missing dependency",
                                                   " requires "};

bool is_of_package_manager(const symptom &seen) {
  return seen.source.find("dnf") != std::string::npos || seen.source.find("yum") != std::string::npos ||
         seen.source.find("apt") != std::string::npos || seen.source.find("zypper") != std::string::npos ||
         seen.source.find("xbps") != std::string::npos || seen.source.find("pacman") != std::string::npos;
}

/// A part of the driver, or what its packages require of each other (nvidia-kmod).
bool names_driver(std::string_view word) {
  constexpr std::string_view around = "'\"(),;:";
  while (!word.empty() && around.find(word.front()) != around.npos)
    word.remove_prefix(1);
  while (!word.empty() && around.find(word.back()) != around.npos)
    word.remove_suffix(1);
  if (word.starts_with("nvidia-kmod") || word.starts_with("kmod-nvidia") ||
      classify_driver_package(word.substr(0, word.find_first_of("(:="))))
    return true;
  const auto package = parse_rpm_package(word);
  return package && classify_driver_package(package->name);
}

int count_driver_words(std::string_view line) {
  int count = 0;
  while (!trim(line).empty())
    count += names_driver(take_word(line)) ? 1 : 0;
  return count;
}

bool is_refusal(std::string_view line) {
  return std::any_of(refusals.begin(), refusals.end(),
                     [&](std::string_view words) { return contains_ignoring_case(line, words); });
}

/// A refusal that names two parts of the driver: one is not to be had in the release that the other asks for. A driver
/// that lacks a library of somebody else is another matter.
bool speaks_of_skew(std::string_view line) { return is_refusal(line) && count_driver_words(line) >= 2; }

void judge_repository_skew(const node_evidence &node, const expectations &, judgement &result) {
  for (const symptom &seen : node.symptoms) {
    if (!is_of_package_manager(seen))
      continue;
    std::string_view rest = seen.text;
    while (!rest.empty())
      if (const std::string_view line = trim(take_line(rest)); speaks_of_skew(line)) {
        result.add("packages.repo-skew")
            .saw("{}", line.substr(0, 300))
            .expected("repositories with module and libraries of one release")
            .read_from(seen.source, std::string(line.substr(0, 300)));
        return;
      }
  }
}

const check_registration registration{{"repository_skew",
                                       "do the repositories offer module and libraries of one release?", false,
                                       judge_repository_skew}};

} // namespace
} // namespace gpucert
