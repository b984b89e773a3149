// SPDX-License-Identifier: Apache-2.0
#include "checks/version_claims.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpucert {
namespace {

constexpr int nvml_lib_rm_version_mismatch = 18; // NVML_ERROR_LIB_RM_VERSION_MISMATCH

/// "NVML library version: 580.159", which drivers from 530 on print behind a mismatch.
std::optional<version_claim> claim_of_nvml_message(const node_evidence &node) {
  constexpr std::string_view words = "NVML library version: ";
  for (const symptom &seen : node.symptoms)
    if (const auto at = seen.text.find(words); at != seen.text.npos)
      if (auto release = driver_release::parse_prefix(std::string_view(seen.text).substr(at + words.size())))
        return version_claim{*release, seen.source, std::string(words) + release->text(), true};
  return std::nullopt;
}

std::string describe(const api_mismatch &mismatch) {
  return fmt::format("API mismatch: client {}, kernel module {}", mismatch.client.text(), mismatch.module.text());
}

std::optional<version_claim> claim_of_libraries(const node_evidence &node) {
  if (!node.libraries.is_known())
    return std::nullopt;
  for (const driver_library &library : *node.libraries) // the loader's order: the first one is what a process gets
    if (library.release && !library.is_32_bit && !library.is_compat_copy())
      return version_claim{*library.release, library.path, library.resolved_path};
  return std::nullopt;
}

std::optional<version_claim> claim_of_mismatch_client(const node_evidence &node) {
  if (!node.log.is_known())
    return std::nullopt;
  const auto &list = node.log->api_mismatches;
  const auto newer = std::find_if(list.rbegin(), list.rend(), [](const api_mismatch &mismatch) {
    return mismatch.client > mismatch.module.release;
  });
  if (newer == list.rend())
    return std::nullopt;
  return version_claim{newer->client, node.log.source, describe(*newer)};
}

} // namespace

std::optional<version_claim> claim_of_loaded_module(const node_evidence &node) {
  if (node.modules.nvidia.is_known()) {
    const driver_release &release = node.modules.nvidia->version.release;
    return version_claim{release, node.modules.nvidia.source, release.text()};
  }
  if (const auto at = node.modules.versions.find("nvidia"); at != node.modules.versions.end() && at->second.is_known())
    return version_claim{at->second->release, at->second.source, at->second->text()};
  if (node.modules.has("nvidia") == false || !node.log.is_known() || node.log->api_mismatches.empty())
    return std::nullopt;
  const api_mismatch &latest = node.log->api_mismatches.back();
  return version_claim{latest.module.release, node.log.source, describe(latest)};
}

std::optional<version_claim> claim_of_packages(const node_evidence &node, driver_part part) {
  if (!node.packages.is_known())
    return std::nullopt;
  std::optional<version_claim> newest;
  for (const installed_package &package : *node.packages) {
    if (!package.has_files() || classify_driver_package(package.name) != part)
      continue;
    const std::optional<driver_release> release = driver_release_of(package);
    if (!release)
      continue;
    version_claim claim{*release, node.packages.source, fmt::format("{} {}", package.name, package.version->text)};
    // Of several packages of one release the first by name speaks, whatever the order of the database.
    if (!newest || newest->release < claim.release || (newest->release == claim.release && claim.text < newest->text))
      newest = std::move(claim);
  }
  return newest;
}

std::optional<version_claim> claim_of_userspace(const node_evidence &node) {
  if (auto claim = claim_of_libraries(node))
    return claim;
  if (auto claim = claim_of_packages(node, driver_part::userspace))
    return claim;
  if (auto claim = claim_of_packages(node, driver_part::metapackage))
    return claim;
  if (auto claim = claim_of_mismatch_client(node))
    return claim;
  return claim_of_nvml_message(node);
}

bool may_be_same(const version_claim &a, const version_claim &b) {
  return a.release == b.release || (a.is_cut && a.release.is_prefix_of(b.release)) ||
         (b.is_cut && b.release.is_prefix_of(a.release));
}

std::optional<version_claim> claim_of_module_on_disk(const node_evidence &node) {
  if (!node.module_on_disk.is_known())
    return std::nullopt;
  const module_file &file = *node.module_on_disk;
  return version_claim{file.version.release, node.module_on_disk.source,
                       fmt::format("{} {}", file.path.value_or("nvidia"), file.version.text())};
}

std::optional<symptom> reported_mismatch(const node_evidence &node) {
  for (const symptom &seen : node.symptoms)
    for (const std::string_view words : {"Driver/library version mismatch", "NVML/RM version mismatch"})
      if (contains_ignoring_case(seen.text, words))
        return symptom{seen.source, std::string(words)};
  if (const reported_message *message = find_message(node.messages, message_topic::version_mismatch))
    return symptom{message->source, message->text};
  if (node.nvml.is_known() && node.nvml->init_return == nvml_lib_rm_version_mismatch)
    return symptom{node.nvml.source, "nvmlInit_v2 returned 18 (driver and library differ)"};
  return std::nullopt;
}

std::optional<bool> has_driver(const node_evidence &node) {
  // A CUDA toolkit brings compatibility copies to machines without a driver.
  const bool has_libraries =
      node.libraries.is_known() && std::any_of(node.libraries->begin(), node.libraries->end(),
                                               [](const driver_library &library) { return !library.is_compat_copy(); });
  const bool has_packages =
      node.packages.is_known() &&
      std::any_of(node.packages->begin(), node.packages->end(), [](const installed_package &package) {
        return package.has_files() && classify_driver_package(package.name);
      });
  if (has_libraries || has_packages || node.module_on_disk.is_known() || node.modules.has("nvidia") == true ||
      node.modules.nvidia.is_known())
    return true;
  if (node.libraries.is_unknown() || node.packages.is_unknown() || node.module_on_disk.is_unknown())
    return std::nullopt;
  return false;
}

} // namespace gpucert
