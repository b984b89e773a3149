// SPDX-License-Identifier: Apache-2.0
// Check module_copies: is there more than one release of the module for one kernel?
//
// Two packages or build systems can each place a module for one kernel; depmod picks one, not always the newer.
#include "checks/check.h"
#include "checks/module_claims.h"

#include <map>

namespace gpucert {
namespace {

struct witness {
  driver_release release;
  std::string source;
  std::string text;
};

using witnesses = std::map<std::string, std::vector<witness>>; // by kernel

void judge_witnesses(const witnesses &kernels, const node_evidence &node, judgement &result) {
  for (const auto &[kernel, copies] : kernels)
    for (const witness &copy : copies)
      if (copy.release != copies.front().release) {
        finding &found =
            result.add("driver.duplicate-module-copies")
                .saw("modules {} and {} for kernel {}", copies.front().release.text(), copy.release.text(), kernel)
                .expected("one module for one kernel")
                .read_from(copies.front().source, copies.front().text)
                .read_from(copy.source, copy.text);
        if (node.module_on_disk.is_known())
          found.note("depmod has chosen {}.", node.module_on_disk->version.text());
        return;
      }
}

void judge_module_copies(const node_evidence &node, const expectations &, judgement &result) {
  witnesses files, packages;
  if (node.on_disk.copies.is_known())
    for (const module_copy &copy : *node.on_disk.copies)
      if (copy.file)
        files[copy.kernel].push_back({copy.file->version.release, node.on_disk.copies.source,
                                      fmt::format("{} {}", copy.path, copy.file->version.text())});
  if (node.packages.is_known())
    for (const installed_package &package : *node.packages)
      if (package.has_files() && classify_driver_package(package.name) == driver_part::kernel_module)
        if (const auto kernel = kernel_release_of_module_package(package); kernel && driver_release_of(package))
          packages[*kernel].push_back({*driver_release_of(package), node.packages.source,
                                       fmt::format("{} {}", package.name, package.version->text)});
  judge_witnesses(files.empty() ? packages : files, node, result);
}

const check_registration registration{
    {"module_copies", "is there one release of the module for each kernel?", false, judge_module_copies}};

} // namespace
} // namespace gpucert
