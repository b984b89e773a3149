// SPDX-License-Identifier: Apache-2.0
// Check cuda_runtime: is the driver new enough for the program's CUDA, and is its libcuda a real one?
#include "checks/cuda_toolkits.h"
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

bool names_stubs(std::string_view path) { return path.find("/stubs") != path.npos; }

/// Where the stub lies in front of the driver's libcuda. LD_LIBRARY_PATH of a developer often names stubs that no
/// program loads, since they lack the name libcuda.so.1: it is evidence only beside an error.
std::optional<evidence_item> stub_in_front(const node_evidence &node) {
  if (node.libraries.is_known())
    for (const driver_library &library : *node.libraries)
      if (library.soname == "libcuda.so.1" && !library.is_32_bit) {
        if (names_stubs(library.path))
          return evidence_item{node.libraries.source, library.path};
        break;
      }
  const auto &environment = node.userspace.environment;
  if (environment.is_known() && !node.messages.empty())
    for (const std::string &folder : environment->library_folders())
      if (names_stubs(folder))
        return evidence_item{environment.source, "LD_LIBRARY_PATH: " + folder};
  return std::nullopt;
}

void judge_stub(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::stub_library});
  const auto stub = stub_in_front(node);
  if (messages.empty() && !stub)
    return;
  finding &found = messages.empty() ? result.add("userspace.stub-library").saw("{}", stub->text)
                                    : add_reported(result, "userspace.stub-library", messages);
  found.expected("the driver's libcuda; the stub is for linking only");
  if (stub)
    found.read_from(stub->source, stub->text);
}

void note_versions(const node_evidence &node, const std::vector<reported_message> &messages, finding &found) {
  const auto userspace = claim_of_userspace(node);
  const auto driver = userspace ? userspace : claim_of_loaded_module(node);
  if (driver && !node.platform.has_gpu_off_pci()) {
    found.read_from(driver->source, driver->text);
    if (const cuda_toolkit *newest = newest_toolkit_of(driver->release))
      found.note("Driver {} supports CUDA {}.{} and older.", driver->release.text(), newest->major, newest->minor);
  }
  for (const reported_message &message : messages)
    if (message.needs_cuda)
      if (const auto needs = oldest_driver_for(*message.needs_cuda))
        return static_cast<void>(found.note("CUDA {} needs driver {} or newer.", *message.needs_cuda, needs->text()));
}

void judge_age(const node_evidence &node, judgement &result) {
  const auto messages = messages_of(node, {message_topic::driver_too_old});
  if (messages.empty())
    return;
  finding &found = add_reported(result, "userspace.driver-too-old-for-runtime", messages)
                       .expected("a driver that is at least as new as the program's CUDA needs");
  note_versions(node, messages, found);
}

void judge_cuda_runtime(const node_evidence &node, const expectations &, judgement &result) {
  judge_stub(node, result);
  judge_age(node, result);
}

const check_registration registration{
    {"cuda_runtime", "is the driver new enough for the program's CUDA?", false, judge_cuda_runtime}};

} // namespace
} // namespace gpucert
