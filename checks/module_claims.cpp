// SPDX-License-Identifier: Apache-2.0
#include "checks/module_claims.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view not_found = "Module nvidia not found";

std::optional<module_claim> claim_of_file(const fact<module_file> &file, const std::string &kernel) {
  if (file.is_absent())
    return module_claim{false, {}, file.source, "no nvidia module for " + kernel};
  if (!file.is_known())
    return std::nullopt;
  return module_claim{true, file->version.release, file.source,
                      fmt::format("{} {}", file->path.value_or("nvidia"), file->version.text())};
}

std::optional<module_claim> claim_of_dkms(const node_evidence &node, const std::string &kernel) {
  if (!node.on_disk.dkms.is_known())
    return std::nullopt;
  for (const dkms_entry &entry : node.on_disk.dkms->entries)
    if (entry.is_driver() && entry.kernel == kernel && !entry.is_missing &&
        (entry.state == dkms_state::installed || entry.state == dkms_state::installed_weak))
      return module_claim{true, entry.release(), node.on_disk.dkms.source, entry.text};
  return std::nullopt;
}

std::optional<module_claim> claim_of_package(const node_evidence &node, const std::string &kernel) {
  if (!node.packages.is_known())
    return std::nullopt;
  for (const installed_package &package : *node.packages)
    if (package.has_files() && classify_driver_package(package.name) == driver_part::kernel_module)
      if (const auto built_for = kernel_release_of_module_package(package);
          built_for && (*built_for == kernel || kernel.starts_with(*built_for + ".")))
        return module_claim{true, driver_release_of(package), node.packages.source, package.name};
  return std::nullopt;
}

} // namespace

std::optional<symptom> reported_missing_module(const node_evidence &node) {
  for (const symptom &seen : node.symptoms)
    if (const auto at = seen.text.find(not_found); at != std::string::npos && seen.source.starts_with("symptoms/")) {
      std::string_view rest = std::string_view(seen.text).substr(at);
      return symptom{seen.source, std::string(take_line(rest))};
    }
  return std::nullopt;
}

std::optional<std::string> running_kernel(const node_evidence &node) {
  if (node.kernel_release.is_known())
    return node.kernel_release.value;
  constexpr std::string_view folder = "/lib/modules/";
  if (const auto missing = reported_missing_module(node))
    if (const auto at = missing->text.find(folder); at != std::string::npos) {
      std::string_view rest = std::string_view(missing->text).substr(at + folder.size());
      return std::string(take_word(rest));
    }
  return std::nullopt;
}

std::optional<module_claim> claim_of_module_for(const node_evidence &node, const std::string &kernel) {
  if (running_kernel(node) == kernel)
    if (auto claim = claim_of_file(node.module_on_disk, kernel))
      return claim;
  if (node.on_disk.next && node.on_disk.next->release == kernel)
    if (auto claim = claim_of_file(node.on_disk.next_module, kernel))
      return claim;
  if (node.on_disk.copies.is_known()) {
    for (const module_copy &copy : *node.on_disk.copies)
      if (copy.kernel == kernel)
        return module_claim{true, copy.file ? std::optional(copy.file->version.release) : std::nullopt,
                            node.on_disk.copies.source, copy.path};
    if (!node.on_disk.copies->empty())
      return module_claim{false, {}, node.on_disk.copies.source, "lists no nvidia module for " + kernel};
  }
  if (auto claim = claim_of_dkms(node, kernel))
    return claim;
  return claim_of_package(node, kernel);
}

bool builds_modules(const node_evidence &node) {
  const bool has_source =
      node.packages.is_known() &&
      std::any_of(node.packages->begin(), node.packages->end(), [](const installed_package &package) {
        return package.has_files() && classify_driver_package(package.name) == driver_part::module_source;
      });
  return has_source || (node.on_disk.dkms.is_known() &&
                        std::any_of(node.on_disk.dkms->entries.begin(), node.on_disk.dkms->entries.end(),
                                    [](const dkms_entry &entry) { return entry.is_driver(); }));
}

} // namespace gpucert
